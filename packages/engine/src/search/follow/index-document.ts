import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, type Element, int64Of, textOf, type Value } from '../../bson/value.ts';
import { autocompleteAnalyzer, MAX_TOKENS } from '../analysis/index.ts';
import type { SegmentBuilder } from '../file/segment-builder.ts';
import type { IndexPlan } from '../mapping/definition.ts';
import { type EmbeddedDocument, embeddedIn } from '../mapping/embedded-documents.ts';
import { type FieldMapping, hexTerm, keys, type Mapping } from '../mapping/field.ts';
import { vectorBytes } from '../mapping/vectors.ts';

/** Position gap between the strings of an array. */
const GAP = 100;
/** Longer tokens are not indexed, as in Lucene: bytes. */
const MAX_TOKEN = 8181;

/** Adds a document of the collection to a segment. */
export function indexDocument(
  plan: IndexPlan,
  builder: SegmentBuilder,
  key: Uint8Array,
  doc: RawDocument,
): void {
  const number = builder.begin(key);
  new Walk(plan, builder, number, { left: MAX_TOKENS }).document(doc, '', plan.mapping);
}

/** Remaining terms of a document, which bound its memory. */
interface TermBudget {
  left: number;
}

/** Indexes one document, or one embedded document with its contents. */
class Walk {
  readonly #plan: IndexPlan;
  readonly #builder: SegmentBuilder;
  readonly #doc: number;
  readonly #room: TermBudget;
  /** Next position and number of terms of each text field. */
  readonly #texts = new Map<string, { next: number; length: number }>();
  readonly #seen = new Set<string>();

  constructor(plan: IndexPlan, builder: SegmentBuilder, doc: number, room: TermBudget) {
    this.#plan = plan;
    this.#builder = builder;
    this.#doc = doc;
    this.#room = room;
  }

  document(doc: RawDocument, path: string, mapping: Mapping): void {
    this.#fields(doc, path, mapping);
    for (const [field, { length }] of this.#texts) this.#builder.addLength(field, this.#doc, length);
    // After its own fields: terms receive documents in the order of their numbers.
    for (const child of embeddedIn(doc, path, mapping)) this.#embedded(child);
  }

  #fields(doc: RawDocument, path: string, mapping: Mapping): void {
    for (const element of doc) {
      const { name } = element;
      const own = path === '' ? name : `${path}.${name}`;
      this.#field(element, own, mapping.fields.get(name), mapping);
    }
  }

  #field(
    element: Element,
    path: string,
    mappings: readonly FieldMapping[] | undefined,
    around: Mapping,
  ): void {
    const wanted = mappings ?? around.dynamic;
    if (wanted === undefined) return;
    this.#once(keys.exists, path);
    for (const mapping of wanted) this.#value(element, path, mapping);
    if (mappings === undefined) this.#dynamic(element, path, around);
  }

  /** Indexes documents within unnamed fields. */
  #dynamic(value: Value, path: string, around: Mapping): void {
    if (value.type === bsonTypes.object) this.#fields(documentOf(value), path, { ...around, fields: none });
    else if (value.type === bsonTypes.array) {
      for (const entry of documentOf(value))
        if (entry.type === bsonTypes.object) this.#dynamic(entry, path, around);
    }
  }

  #value(value: Value, path: string, mapping: FieldMapping): void {
    if (mapping.vector !== undefined) {
      const bytes = vectorBytes(value, mapping.vector);
      if (bytes !== undefined) this.#builder.addSpan(bytes.key(path), bytes.bytes, this.#doc);
      return;
    }
    if (mapping.type === 'embeddedDocuments') return;
    if (value.type === bsonTypes.array) {
      for (const entry of documentOf(value)) this.#value(entry, path, mapping);
      return;
    }
    if (mapping.type === 'document') {
      if (value.type === bsonTypes.object && mapping.inside !== undefined) {
        this.#fields(documentOf(value), path, mapping.inside);
      }
      return;
    }
    if (mapping.type === 'geo') {
      if (value.type === bsonTypes.object && (mapping.indexShapes === true || isPoint(value))) {
        this.#builder.addSpan(keys.geo(path), documentOf(value).toBytes().slice(), this.#doc);
      }
      return;
    }
    this.#scalar(value, path, mapping);
  }

  #scalar(value: Value, path: string, mapping: FieldMapping): void {
    const { type } = mapping;
    const any = type === 'filter';
    switch (value.type) {
      case bsonTypes.string:
        if (type === 'string') this.#string(textOf(value), path, mapping);
        else if (type === 'autocomplete') this.#autocomplete(textOf(value), path, mapping);
        else if (type === 'token' || any) this.#token(textOf(value), path, mapping);
        break;
      case bsonTypes.int:
      case bsonTypes.long:
      case bsonTypes.double:
        if (type === 'number' || any) this.#number(value, path, mapping);
        break;
      case bsonTypes.date:
        if (type === 'date' || any)
          this.#builder.addPoint(keys.date(path), Number(int64Of(value)), this.#doc);
        break;
      case bsonTypes.bool:
        if (type === 'boolean' || any) this.#once(keys.boolean(path), String(boolOf(value)));
        break;
      case bsonTypes.objectId:
        if (type === 'objectId' || any) this.#once(keys.objectId(path), hexTerm(value, 0));
        break;
      case bsonTypes.binData:
        if (value.bytes[value.start + 4] === 4 && (type === 'uuid' || any))
          this.#once(keys.uuid(path), hexTerm(value, 5));
        break;
      case bsonTypes.null:
        this.#once(keys.nothing(path), '');
        break;
    }
  }

  #once(field: string, term: string): void {
    if (this.#isNew(field, term)) this.#builder.addTerm(field, term, this.#doc);
  }

  /** Whether the term is new in this document; records it. */
  #isNew(field: string, term: string): boolean {
    const name = `${field}\0${term}`;
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    return true;
  }

  #string(text: string, path: string, mapping: FieldMapping): void {
    this.#text(keys.text(path), text, mapping);
    for (const [name, multi] of mapping.multi ?? []) this.#text(keys.text(path, name), text, multi);
  }

  #number(value: Value, path: string, { numbers }: FieldMapping): void {
    const isDouble = value.type === bsonTypes.double;
    if (numbers !== undefined && !(isDouble ? numbers.indexDoubles : numbers.indexIntegers)) return;
    const number = toNumber(value);
    this.#builder.addPoint(
      keys.number(path),
      numbers?.whole === true ? Math.round(number) : number,
      this.#doc,
    );
  }

  #text(field: string, text: string, { analyzer, ignoreAbove, freqs, positions }: FieldMapping): void {
    if (analyzer === undefined || (ignoreAbove !== undefined && text.length > ignoreAbove)) return;
    if (this.#room.left <= 0) return;
    let tokens = this.#plan.analyzers(analyzer)(text).slice(0, this.#room.left);
    this.#room.left -= tokens.length;
    if (freqs === false) tokens = tokens.filter(({ term }) => this.#isNew(field, term));
    const last = tokens.at(-1);
    if (last === undefined) return;
    let state = this.#texts.get(field);
    if (state === undefined) {
      state = { next: 0, length: 0 };
      this.#texts.set(field, state);
    }
    this.#builder.addText(field, tokens, this.#doc, positions === false ? undefined : state.next);
    state.next += last.position + 1 + GAP;
    state.length += tokens.length;
  }

  #autocomplete(text: string, path: string, { analyzer, grams }: FieldMapping): void {
    if (grams === undefined || analyzer === undefined) return;
    const pieces = autocompleteAnalyzer(this.#plan.analyzers(analyzer), grams);
    if (this.#room.left <= 0) return;
    const all = pieces(text).slice(0, this.#room.left);
    this.#room.left -= all.length;
    for (const { term } of all) this.#once(keys.autocomplete(path), term);
  }

  #token(text: string, path: string, { normalizer }: FieldMapping): void {
    if (Buffer.byteLength(text) > MAX_TOKEN) return;
    this.#once(keys.token(path), normalizer === 'lowercase' ? text.toLowerCase() : text);
  }

  #embedded({ document, path, inside }: EmbeddedDocument): void {
    const child = this.#builder.beginChild(this.#doc);
    this.#builder.addTerm(keys.embedded, path, child);
    new Walk(this.#plan, this.#builder, child, this.#room).document(document, path, inside);
  }
}

function isPoint(value: Value): boolean {
  return documentOf(value).string('type') === 'Point';
}

const none: ReadonlyMap<string, readonly FieldMapping[]> = new Map();
