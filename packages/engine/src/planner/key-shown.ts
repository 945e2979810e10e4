import { writeDocument } from '../bson/document-writer.ts';
import { RawDocument } from '../bson/raw.ts';
import { note } from '../language/metadata.ts';
import type { AccessPath } from '../storage/access.ts';
import type { IndexDefinition } from '../storage/indexes/index-definition.ts';
import type { KeyRange } from '../storage/indexes/range.ts';
import { hashed, keyOf, tuplesOf } from '../storage/indexes/tuples.ts';

type KeyOf = (document: RawDocument) => RawDocument;

/** The key by which a document was found in the index that was used; undefined where none was. */
function keyAlong(path: AccessPath): KeyOf | undefined {
  if (path.kind === 'byId') return idOf;
  if (path.kind !== 'index') return undefined;
  const { index, ranges } = path;
  const names = [...index.key].map(({ name }) => name);
  return (document) =>
    writeDocument((writer) => {
      const tuple = foundTuple(index, ranges, document);
      for (const [i, name] of names.entries()) {
        const value = tuple[i];
        if (value !== undefined) writer.field(name, index.parts[i]?.hashed ? hashed(value) : value);
      }
    });
}

function idOf(document: RawDocument): RawDocument {
  return writeDocument((writer) => {
    const id = document.get('_id');
    if (id !== undefined) writer.field('_id', id);
  });
}

/** Of several keys the first that lies on the way. */
function foundTuple(index: IndexDefinition, ranges: readonly KeyRange[], document: RawDocument) {
  const tuples = tuplesOf(index, document);
  const [first = []] = tuples;
  if (tuples.length < 2) return first;
  const keyed = tuples
    .map((tuple) => ({ tuple, key: keyOf(index, tuple) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  const found = keyed.find(({ key }) => ranges.some((range) => lies(key, range)));
  return found?.tuple ?? first;
}

function lies(key: Uint8Array, { low, high }: KeyRange): boolean {
  return Buffer.compare(key, low) >= 0 && (high === undefined || Buffer.compare(key, high) < 0);
}

/** That key in the place of the document. */
export function keyShown(path: AccessPath): KeyOf {
  return keyAlong(path) ?? (() => RawDocument.empty);
}

/** Leaves that key beside the document, for `{$meta: 'indexKey'}`. */
export function notingKey(path: AccessPath): (document: RawDocument) => RawDocument {
  const keyIn = keyAlong(path);
  if (keyIn === undefined) return (document) => document;
  return (document) => {
    note(document, { indexKey: keyIn(document).toValue() });
    return document;
  };
}
