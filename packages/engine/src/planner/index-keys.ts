import { writeDocument } from '../bson/document-writer.ts';
import { RawDocument } from '../bson/raw.ts';
import { step } from '../bson/turns.ts';
import type { KeyTuple } from '../language/index-keys.ts';
import { addMetadata } from '../language/metadata.ts';
import { hashed, keyOf, visitKeyTuples } from '../storage/indexes/tuples.ts';
import { visitWildcardTuples, wildcardKeyOf } from '../storage/indexes/wildcard-keys.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import type { KeyRange } from '../storage/model/range.ts';
import { keyFields } from './stages.ts';

type KeyOf = (document: RawDocument) => RawDocument;

/**
 * Returns a function that takes a document and returns the index key by which the document was found. Returns undefined
 * for a scan without an index.
 */
function keyAlong(path: AccessPath): KeyOf | undefined {
  if (path.kind === 'byId') return idOf;
  if (path.kind === 'merge') return path.whole && keyAlong(path.whole);
  if (path.kind !== 'index') return undefined;
  const { index, ranges, field } = path;
  // If a scan reads several paths of a wildcard index, the value in the key has no single name.
  const fields = keyFields(index, index.kind === 'wildcard' ? (field ?? '') : field);
  return (document) =>
    writeDocument((writer) => {
      const tuple = foundTuple(index, ranges, document);
      for (const [i, { name, part }] of fields.entries()) {
        const value = tuple[i];
        const isHashed = part !== undefined && index.parts[part]?.hashed === true;
        if (value !== undefined) writer.field(name, isHashed ? hashed(value) : value);
      }
    });
}

function idOf(document: RawDocument): RawDocument {
  return writeDocument((writer) => {
    const id = document.get('_id');
    if (id !== undefined) writer.field('_id', id);
  });
}

/**
 * Returns the first key of a document within the ranges. If the document has only one key, returns this key.
 */
function foundTuple(index: IndexDefinition, ranges: readonly KeyRange[], document: RawDocument): KeyTuple {
  let first: KeyTuple | undefined;
  let found: { readonly tuple: KeyTuple; readonly key: Uint8Array } | undefined;
  const isWildcard = index.kind === 'wildcard';
  const visit = isWildcard ? visitWildcardTuples : visitKeyTuples;
  const consider = (tuple: KeyTuple) => {
    const key = isWildcard ? wildcardKeyOf(index, tuple) : keyOf(index, tuple);
    const within = ranges.some((range) => {
      step();
      return isInRange(key, range);
    });
    if (within && (found === undefined || Buffer.compare(key, found.key) < 0)) found = { tuple, key };
  };
  let isAlone = true;
  visit(index, document, (tuple) => {
    if (first === undefined) {
      first = tuple;
      return;
    }
    // A key is only needed to compare several tuples. Computing a key takes most of the time, so skip it for a single
    // tuple.
    if (isAlone) consider(first);
    isAlone = false;
    consider(tuple);
  });
  return found?.tuple ?? first ?? [];
}

function isInRange(key: Uint8Array, { low, high }: KeyRange): boolean {
  return Buffer.compare(key, low) >= 0 && (high === undefined || Buffer.compare(key, high) < 0);
}

/** Replaces each document by its index key, for `returnKey`. */
export function indexKeyOf(path: AccessPath): KeyOf {
  return keyAlong(path) ?? (() => RawDocument.empty);
}

/** Adds the index key to each document as metadata, for `{$meta: 'indexKey'}`. */
export function withIndexKey(path: AccessPath): (document: RawDocument) => RawDocument {
  const keyIn = keyAlong(path);
  if (keyIn === undefined) return (document) => document;
  return (document) => {
    addMetadata(document, { indexKey: keyIn(document).toValue() });
    return document;
  };
}
