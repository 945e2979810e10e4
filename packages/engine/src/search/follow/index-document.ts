import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, int64Of, textOf, type Value } from '../../bson/value.ts';
import { type Analyzer, autocompleteAnalyzer, MAX_TOKENS, type Token } from '../analysis/index.ts';
import type { SegmentBuilder } from '../file/segment-builder.ts';
import type { IndexPlan } from '../mapping/definition.ts';
import { type EmbeddedDocument, embeddedIn, MAX_PATH } from '../mapping/embedded-documents.ts';
import { type FieldMapping, hexTerm, keys, type Mapping } from '../mapping/field.ts';
import { integerTerm, isLargeInteger } from '../mapping/integers.ts';
import { vectorBytes } from '../mapping/vectors.ts';

/** The gap in positions between two strings of an array. */
const GAP = 100;
/** Maximum length of an indexed token, in UTF-16 units. The rest is cut off. */
const MAX_TOKEN = 8181;

/** Maximum number of characters in the terms of a document and of a single text. */
const MAX_LETTERS = 2 ** 26;
const MAX_LETTERS_OF_TEXT = 2 ** 24;

/** Number of tokens and values that are indexed before yielding. This takes some milliseconds. */
const TURN = 1_000;
/** The cost of a batch of tokens. Filters may have removed its tokens, but computing it took up to some milliseconds. */
const BATCH = TURN;
/** Shorter texts are indexed without yielding. */
const SHORT = 256;
/** Binary logarithm of the number of characters of a path that take as long to process as a value. */
const PATH_SHIFT = 6;

/**
 * Maximum number of different paths of a document that are indexed. The index of each path takes some kilobytes of
 * memory until it is written.
 */
const MAX_PATHS = 20_000;

/**
 * Maximum number of characters in the paths of all fields of a document. A path counts once for each of its values, and
 * several times for the first, because it is kept in memory. Without this limit, a megabyte of deeply nested fields
 * with long names would have gigabytes of paths.
 */
const MAX_LETTERS_OF_PATHS = 2 ** 28;
const COUNTS_OF_NEW_PATH = 16;

/** Indexes one document in steps. Other work may run between two steps. */
type Steps = Generator<void>;

/** Adds a document of the collection to a segment in several steps. */
export function* indexDocument(
  plan: IndexPlan,
  builder: SegmentBuilder,
  key: Uint8Array,
  doc: RawDocument,
): Steps {
  const number = builder.begin(key);
  yield* new Walk(plan, builder, number, new WorkOfDocument()).document(doc, '', plan.mapping);
}

/** The texts of a field in a document. */
interface TextState {
  /** The position of the next text. */
  next: number;
  /** The number of positions that have tokens. As in Lucene, several tokens at one position count once. */
  length: number;
  /** The number of all tokens. */
  total: number;
  /** The position of the last token in the current text. */
  position: number;
}

function count(tokens: readonly Token[], state: TextState): void {
  state.total += tokens.length;
  for (const { position } of tokens) {
    if (position === state.position) continue;
    state.length++;
    state.position = position;
  }
}

/** Counts the work on one document in order to limit its memory and time. */
class WorkOfDocument {
  #tokens = MAX_TOKENS;
  #letters = MAX_LETTERS;
  #lettersOfText = 0;
  #lettersOfPaths = MAX_LETTERS_OF_PATHS;
  readonly #paths = new Set<string>();
  #turn = TURN;

  beginText(): void {
    this.#lettersOfText = MAX_LETTERS_OF_TEXT;
  }

  /** True if the text or the document has reached its limit of tokens or characters. */
  get isFull(): boolean {
    return this.#tokens <= 0 || this.#letters <= 0 || this.#lettersOfText <= 0;
  }

  /** Returns the tokens that fit the limits and counts them. */
  take(tokens: readonly Token[]): readonly Token[] {
    const taken = tokens.length <= this.#tokens ? tokens : tokens.slice(0, this.#tokens);
    this.#tokens -= taken.length;
    let letters = 0;
    for (const { term } of taken) letters += term.length;
    this.#letters -= letters;
    this.#lettersOfText -= letters;
    this.#turn -= taken.length;
    return taken;
  }

  /** Counts a term without positions. Returns false if the document has reached its limit. */
  takeTerm(term: string): boolean {
    if (this.#tokens <= 0 || this.#letters <= 0) return false;
    this.#tokens--;
    this.#letters -= term.length;
    return true;
  }

  /** Counts a value at a path. Returns false if the path is too long, or if the document has reached its limit. */
  takePath(path: string): boolean {
    this.#turn -= path.length >> PATH_SHIFT;
    if (path.length > MAX_PATH) return false;
    const isNew = !this.#paths.has(path);
    const letters = path.length * (isNew ? COUNTS_OF_NEW_PATH : 1);
    if (letters > this.#lettersOfPaths || (isNew && this.#paths.size >= MAX_PATHS)) return false;
    this.#lettersOfPaths -= letters;
    if (isNew) this.#paths.add(path);
    return true;
  }

  /** Lets the next call of `turnEnds` return true, because a short text does not yield. */
  postponeTurn(): void {
    this.#turn = 0;
  }

  /** Counts the work on a value. Returns true if it is time to yield. */
  turnEnds(work = 1): boolean {
    this.#turn -= work;
    if (this.#turn > 0) return false;
    this.#turn = TURN;
    return true;
  }
}

/** Indexes one document, or one embedded document with all that it contains. */
class Walk {
  readonly #plan: IndexPlan;
  readonly #builder: SegmentBuilder;
  readonly #doc: number;
  readonly #work: WorkOfDocument;
  /** The next position and the number of terms of each text field. */
  readonly #texts = new Map<string, TextState>();
  readonly #seen = new Set<string>();

  constructor(plan: IndexPlan, builder: SegmentBuilder, doc: number, work: WorkOfDocument) {
    this.#plan = plan;
    this.#builder = builder;
    this.#doc = doc;
    this.#work = work;
  }

  *document(doc: RawDocument, path: string, mapping: Mapping): Steps {
    yield* this.#fields(doc, path, mapping);
    for (const [field, { length, total }] of this.#texts) {
      this.#builder.addLength(field, this.#doc, length);
      if (total !== length) this.#builder.addLength(keys.total(field), this.#doc, total);
      if (this.#work.turnEnds()) yield;
    }
    // Index embedded documents after the fields of the document, because they have higher document numbers. The
    // documents of each term must be added in ascending order.
    for (const child of embeddedIn(doc, path, mapping)) yield* this.#embedded(child);
  }

  *#fields(doc: RawDocument, path: string, mapping: Mapping): Steps {
    for (const element of doc) {
      const { name } = element;
      const own = path === '' ? name : `${path}.${name}`;
      const mappings = mapping.fields.get(name);
      const wanted = mappings ?? mapping.dynamic;
      if (wanted !== undefined && this.#work.takePath(own)) {
        this.#once(keys.exists, own);
        for (const one of wanted) {
          const more = this.#value(element, own, one);
          if (more !== undefined) yield* more;
        }
        const inner = mappings === undefined ? this.#dynamic(element, own, mapping) : undefined;
        if (inner !== undefined) yield* inner;
      }
      if (this.#work.turnEnds()) yield;
    }
  }

  /** Indexes documents within fields that the mapping does not name. */
  #dynamic(value: Value, path: string, around: Mapping): Steps | undefined {
    if (value.type === bsonTypes.object) {
      return this.#fields(documentOf(value), path, { ...around, fields: noFields });
    }
    return value.type === bsonTypes.array ? this.#dynamicEntries(value, path, around) : undefined;
  }

  *#dynamicEntries(list: Value, path: string, around: Mapping): Steps {
    for (const entry of documentOf(list)) {
      const inner = entry.type === bsonTypes.object ? this.#dynamic(entry, path, around) : undefined;
      if (inner !== undefined) yield* inner;
      if (this.#work.turnEnds()) yield;
    }
  }

  /** Indexes a value. Returns the remaining steps, or undefined if there are none. */
  #value(value: Value, path: string, mapping: FieldMapping): Steps | undefined {
    if (mapping.vector !== undefined) {
      const bytes = vectorBytes(value, mapping.vector);
      if (bytes !== undefined) this.#builder.addSpan(bytes.key(path), bytes.bytes, this.#doc);
      return undefined;
    }
    if (mapping.type === 'embeddedDocuments') return undefined;
    if (value.type === bsonTypes.array) return this.#entries(value, path, mapping);
    if (mapping.type === 'document') {
      if (value.type !== bsonTypes.object || mapping.inside === undefined) return undefined;
      return this.#fields(documentOf(value), path, mapping.inside);
    }
    if (mapping.type === 'geo') {
      if (value.type === bsonTypes.object && (mapping.indexShapes === true || isPoint(value))) {
        this.#builder.addSpan(keys.geo(path), documentOf(value).toBytes().slice(), this.#doc);
      }
      return undefined;
    }
    if (value.type === bsonTypes.string) return this.#texted(textOf(value), path, mapping);
    this.#scalar(value, path, mapping);
    return undefined;
  }

  *#entries(list: Value, path: string, mapping: FieldMapping): Steps {
    if (mapping.type === 'number' || mapping.type === 'date') this.#once(keys.listed, path);
    for (const entry of documentOf(list)) {
      const more = this.#value(entry, path, mapping);
      if (more !== undefined) yield* more;
      if (this.#work.turnEnds()) yield;
    }
  }

  /** Indexes a string. A long string takes several steps. */
  #texted(text: string, path: string, mapping: FieldMapping): Steps | undefined {
    const { type } = mapping;
    if (type === 'token' || type === 'filter') this.#token(text, path, mapping);
    if (type !== 'string' && type !== 'autocomplete') return undefined;
    const steps =
      type === 'string' ? this.#string(text, path, mapping) : this.#autocomplete(text, path, mapping);
    if (text.length > SHORT) return steps;
    while (steps.next().done !== true) this.#work.postponeTurn();
    return undefined;
  }

  #scalar(value: Value, path: string, mapping: FieldMapping): void {
    const { type } = mapping;
    const any = type === 'filter';
    switch (value.type) {
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
    if (this.#isNew(field, term) && this.#work.takeTerm(term)) this.#builder.addTerm(field, term, this.#doc);
  }

  /** Records a term. Returns true if it is new in this document. */
  #isNew(field: string, term: string): boolean {
    const name = `${field}\0${term}`;
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    return true;
  }

  *#string(text: string, path: string, mapping: FieldMapping): Steps {
    yield* this.#text(keys.text(path), text, mapping);
    for (const [name, multi] of mapping.multi ?? []) yield* this.#text(keys.text(path, name), text, multi);
  }

  #number(value: Value, path: string, { numbers, type }: FieldMapping): void {
    const isDouble = value.type === bsonTypes.double;
    if (numbers !== undefined && !(isDouble ? numbers.indexDoubles : numbers.indexIntegers)) return;
    const number = toNumber(value);
    if ((numbers?.whole === true || type === 'filter') && isLargeInteger(number))
      this.#once(keys.integer(path), integerTerm(value));
    this.#builder.addPoint(
      keys.number(path),
      numbers?.whole === true ? Math.round(number) : number,
      this.#doc,
    );
  }

  *#text(field: string, text: string, { analyzer, ignoreAbove, freqs, positions }: FieldMapping): Steps {
    if (analyzer === undefined || (ignoreAbove !== undefined && text.length > ignoreAbove)) return;
    let [from, last] = [0, -1];
    for (const tokens of this.#tokens(this.#plan.analyzers(analyzer), text)) {
      const own = freqs === false ? tokens.filter(({ term }) => this.#isNew(field, term)) : tokens;
      if (own.length > 0) {
        const state = this.#stateOf(field);
        if (last < 0) {
          from = state.next;
          state.position = -1;
        }
        this.#builder.addText(field, own, this.#doc, positions === false ? undefined : from);
        count(own, state);
        last = Math.max(last, own.at(-1)?.position ?? 0);
        state.next = from + last + 1 + GAP;
      }
      if (this.#work.turnEnds(BATCH)) yield;
    }
  }

  #stateOf(field: string): TextState {
    let state = this.#texts.get(field);
    if (state === undefined) {
      state = { next: 0, length: 0, total: 0, position: -1 };
      this.#texts.set(field, state);
    }
    return state;
  }

  *#autocomplete(text: string, path: string, { analyzer, grams }: FieldMapping): Steps {
    if (grams === undefined || analyzer === undefined) return;
    const field = keys.autocomplete(path);
    const state = this.#stateOf(field);
    state.position = -1;
    const pieces = autocompleteAnalyzer(this.#plan.analyzers(analyzer), grams);
    for (const tokens of this.#tokens(pieces, text)) {
      this.#builder.addText(field, tokens, this.#doc, undefined);
      count(tokens, state);
      if (this.#work.turnEnds(BATCH)) yield;
    }
  }

  /** Yields the tokens of a text until the document or the text reaches its limit. */
  *#tokens(analyzer: Analyzer, text: string): Generator<readonly Token[]> {
    this.#work.beginText();
    if (this.#work.isFull) return;
    for (const tokens of analyzer(text)) {
      yield this.#work.take(tokens);
      if (this.#work.isFull) return;
    }
  }

  #token(text: string, path: string, { normalizer, facet }: FieldMapping): void {
    const kept = text.slice(0, MAX_TOKEN);
    const field = facet?.apart === true ? keys.facet(path) : keys.token(path);
    this.#once(field, normalizer === 'lowercase' ? kept.toLowerCase() : kept);
  }

  *#embedded({ document, path, inside }: EmbeddedDocument): Steps {
    const child = this.#builder.beginChild(this.#doc);
    this.#builder.addTerm(keys.embedded, path, child);
    yield* new Walk(this.#plan, this.#builder, child, this.#work).document(document, path, inside);
    if (this.#work.turnEnds()) yield;
  }
}

function isPoint(value: Value): boolean {
  return documentOf(value).string('type') === 'Point';
}

const noFields: ReadonlyMap<string, readonly FieldMapping[]> = new Map();
