import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { FieldMapping, Mapping } from './field.ts';

/** Maximum length of the path of an indexed field, in UTF-16 units. Fields with longer paths are not indexed. */
export const MAX_PATH = 8181;

/** An embedded document that searches find individually. */
export interface EmbeddedDocument {
  readonly document: RawDocument;
  readonly path: string;
  readonly inside: Mapping;
}

/**
 * Yields the documents embedded directly in `doc`, in the order in which a segment numbers them. A segment
 * numbers each document before the documents embedded in it.
 */
export function* embeddedIn(doc: RawDocument, path: string, mapping: Mapping): Generator<EmbeddedDocument> {
  if (!embeds(mapping)) return;
  for (const element of doc) {
    const own = path === '' ? element.name : `${path}.${element.name}`;
    if (own.length > MAX_PATH) continue;
    const named = mapping.fields.get(element.name);
    for (const field of named ?? mapping.dynamic ?? []) yield* inValue(element, own, field);
  }
}

/**
 * Returns the embedded document that has this number within a document of the collection. Returns undefined if it no
 * longer exists.
 */
export function embeddedAt(doc: RawDocument, mapping: Mapping, number: number): RawDocument | undefined {
  let at = 0;
  for (const { document } of allIn(doc, '', mapping)) if (++at === number) return document;
  return undefined;
}

function* allIn(doc: RawDocument, path: string, mapping: Mapping): Generator<EmbeddedDocument> {
  for (const one of embeddedIn(doc, path, mapping)) {
    yield one;
    yield* allIn(one.document, one.path, one.inside);
  }
}

function* inValue(value: Value, path: string, field: FieldMapping): Generator<EmbeddedDocument> {
  const { type, inside } = field;
  if (inside === undefined) return;
  if (value.type === bsonTypes.array && type === 'document') {
    for (const entry of documentOf(value)) yield* inValue(entry, path, field);
    return;
  }
  if (type === 'document') {
    if (value.type === bsonTypes.object) yield* embeddedIn(documentOf(value), path, inside);
    return;
  }
  const entries = value.type === bsonTypes.array ? documentOf(value) : [value];
  for (const entry of entries) {
    if (entry.type === bsonTypes.object) yield { document: documentOf(entry), path, inside };
  }
}

const known = new WeakMap<Mapping, boolean>();

/** True if the mapping has fields of embedded documents; most have none. Caches the result. */
function embeds(mapping: Mapping): boolean {
  let found = known.get(mapping);
  if (found === undefined) {
    const inner = [...mapping.fields.values()].flat();
    found = inner.some(
      ({ type, inside }) => inside !== undefined && (type === 'embeddedDocuments' || embeds(inside)),
    );
    known.set(mapping, found);
  }
  return found;
}
