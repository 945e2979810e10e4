import { bsonTypes } from '../bson/bson-types.ts';
import { encodeKey } from '../bson/keys.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { nullValue, type Value } from '../bson/value.ts';
import type { PathPart } from '../language/paths.ts';
import type { AccessPath } from '../storage/access.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/indexes/index-definition.ts';
import { isMultikey } from '../storage/indexes/multikey.ts';
import { behind, type KeyRange, partKey } from '../storage/indexes/range.ts';
import type { Plan } from './plan.ts';

/** Of this many keys at the beginning at most one in `WORTH` may be a new one, or all are read. */
const SAMPLE = 1_000;
const WORTH = 8;
/** Keys of several parts do not tell how often the first one changes; up to here passing over each costs little. */
const MOST_GUESSED = 100_000;

/**
 * The values of the first part of an index, each once: from one to the next the keys between are passed over. None
 * where the index does not tell, or where most keys are different anyway.
 */
export function distinctScan(
  collection: Collection,
  key: string,
  { path, exact }: Plan,
): Iterable<Value> | undefined {
  if (path.kind !== 'index' || exact !== true) return undefined;
  const { index, ranges } = path;
  const [first] = index.parts;
  // An index that a transaction is making has no table yet.
  if (index.number < 0) return undefined;
  if (index.kind !== 'ordinary' || isMultikey(index.multikey) || first?.path.text !== key) return undefined;
  if (index.parts.length > 1)
    return collection.documents > MOST_GUESSED ? undefined : valuesIn(collection, index, ranges);
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
      const next = behind(partKey(encodeKey(value ?? nullValue), direction));
      if (value !== undefined) yield value;
      // What is not there has the key of null, and may stand before it.
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

/** There is no array on the way. */
function valueAt(doc: RawDocument, steps: readonly PathPart[]): Value | undefined {
  let value: Value | undefined = doc.toValue();
  for (const { name } of steps) {
    if (value?.type !== bsonTypes.object) return undefined;
    value = documentOf(value).get(name);
  }
  return value;
}
