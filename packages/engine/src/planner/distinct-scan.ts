import { bsonTypes } from '../bson/bson-types.ts';
import { encodeKey } from '../bson/keys.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { nullValue, type Value } from '../bson/value.ts';
import type { PathPart } from '../language/paths.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { isMultikey } from '../storage/model/multikey.ts';
import { endOf, type KeyRange, partKey } from '../storage/model/range.ts';
import type { Plan } from './plan.ts';

/** A distinct scan is used if at most one in `WORTH` of the first `SAMPLE` keys has a new value. */
const SAMPLE = 1_000;
const WORTH = 8;
/**
 * The number of distinct keys in a compound index does not show how often the first field changes. So the size of the
 * collection decides: up to this number of documents, skipping keys is cheap in any case.
 */
const MAX_SKIPPED_DOCUMENTS = 100_000;

/**
 * Yields the distinct values of the first field of an index, and skips the keys between them. Returns undefined if the
 * index cannot provide the values, or if most keys are distinct anyway.
 */
export function distinctScan(
  collection: Collection,
  key: string,
  { path, exact }: Plan,
): Iterable<Value> | undefined {
  if (path.kind !== 'index' || exact !== true) return undefined;
  const { index, ranges } = path;
  const [first] = index.parts;
  // An index has no table while an open transaction builds it.
  if (index.number < 0) return undefined;
  if (index.kind !== 'ordinary' || isMultikey(index.multikey) || first?.path.text !== key) return undefined;
  if (index.parts.length > 1)
    return collection.documents > MAX_SKIPPED_DOCUMENTS ? undefined : valuesIn(collection, index, ranges);
  if (collection.distinctIn(index, ranges, SAMPLE) * WORTH > SAMPLE) return undefined;
  return valuesIn(collection, index, ranges);
}

function* valuesIn(
  collection: Collection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
): Generator<Value> {
  const [first] = index.parts;
  const steps = first?.path.parts ?? [];
  const direction = first?.direction ?? 1;
  for (const range of ranges) {
    let low = range.low;
    for (;;) {
      const path = { kind: 'index', index, ranges: [{ low, high: range.high }], reverse: false } as const;
      const record = collection.scan(path, 1).next();
      if (record === undefined) break;
      const value = valueAt(record.doc, steps);
      const next = endOf(partKey(encodeKey(value ?? nullValue), direction));
      if (value !== undefined) yield value;
      // A missing field has the same key as null. So look among all documents with this key for one that contains null.
      else if (hasNull(collection, { ...path, ranges: [{ low, high: next }] }, steps)) yield nullValue;
      low = next;
    }
  }
}

function hasNull(collection: Collection, path: AccessPath, steps: readonly PathPart[]): boolean {
  const scan = collection.scan(path);
  for (let record = scan.next(); record !== undefined; record = scan.next()) {
    if (valueAt(record.doc, steps) !== undefined) return true;
  }
  return false;
}

/** Returns the value at a path. The path must not contain arrays. */
function valueAt(doc: RawDocument, steps: readonly PathPart[]): Value | undefined {
  let value: Value | undefined = doc.toValue();
  for (const { name } of steps) {
    if (value?.type !== bsonTypes.object) return undefined;
    value = documentOf(value).get(name);
  }
  return value;
}
