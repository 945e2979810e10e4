import { bsonTypes } from '../bson/bson-types.ts';
import { encodeKey } from '../bson/keys.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { nullValue, type Value } from '../bson/value.ts';
import type { PathPart } from '../language/paths.ts';
import type { Collection } from '../storage/collection/collection.ts';
import { canDecodeValues } from '../storage/indexes/covered.ts';
import type { ScanFigures } from '../storage/indexes/index-scan.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { isMultikey } from '../storage/model/multikey.ts';
import { endOf, type KeyRange, partKey } from '../storage/model/range.ts';
import type { Plan } from './plan.ts';

/** A scan skips keys if at most one in `WORTH` of the first `SAMPLE` keys has a new value. */
const SAMPLE = 1_000;
const WORTH = 8;
/**
 * The number of distinct keys in a compound index does not show how often the first field changes. So the size of the
 * collection decides: up to this number of documents, skipping keys is cheap in any case.
 */
const MAX_SKIPPED_DOCUMENTS = 100_000;

/** The distinct values of the first field of an index, some of them repeated. */
export interface DistinctScan {
  readonly values: Iterable<Value>;
  /** True if the values come from the keys, so that only documents with null or without the field are read. */
  readonly covered: boolean;
}

/**
 * Reads the distinct values of the first field of an index, and skips the keys between them if there are many. Returns
 * undefined if the index cannot provide the values, or if most documents must be read anyway.
 */
export function distinctScan(
  collection: Collection,
  key: string,
  { path, exact }: Plan,
  figures?: ScanFigures,
): DistinctScan | undefined {
  if (path.kind !== 'index' || exact !== true) return undefined;
  const { index, ranges } = path;
  const [first] = index.parts;
  // An index has no table while an open transaction builds it.
  if (index.number < 0) return undefined;
  if (index.kind !== 'ordinary' || isMultikey(index.multikey) || first?.path.text !== key) return undefined;
  const covered = collection.readsKeys && canDecodeValues(index, firstPart);
  if (skipsMost(collection, index, ranges)) {
    const parts = covered ? firstPart : undefined;
    return { covered, values: valuesIn(collection, index, ranges, parts, figures) };
  }
  return covered ? { covered, values: allValuesIn(collection, index, ranges, figures) } : undefined;
}

const scan = 'DISTINCT_SCAN';
const firstPart: ReadonlySet<number> = new Set([0]);

/** True if a scan that skips keys is faster than one that reads all of them. */
function skipsMost(collection: Collection, index: IndexDefinition, ranges: readonly KeyRange[]): boolean {
  if (index.parts.length > 1) return collection.documents <= MAX_SKIPPED_DOCUMENTS;
  return collection.distinctIn(index, ranges, SAMPLE) * WORTH <= SAMPLE;
}

/** Yields the value of each key. A value can be repeated. */
function* allValuesIn(
  collection: Collection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  figures: ScanFigures | undefined,
): Generator<Value> {
  const steps = index.parts[0]?.path.parts ?? [];
  const path = { kind: 'index', index, ranges, reverse: false, covered: firstPart, scan } as const;
  const records = collection.scan(path, undefined, figures);
  for (let record = records.next(); record !== undefined; record = records.next()) {
    const value = valueAt(record.doc, steps);
    if (value !== undefined) yield value;
  }
}

function* valuesIn(
  collection: Collection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  covered: ReadonlySet<number> | undefined,
  figures: ScanFigures | undefined,
): Generator<Value> {
  const [first] = index.parts;
  const steps = first?.path.parts ?? [];
  const direction = first?.direction ?? 1;
  for (const range of ranges) {
    let low = range.low;
    for (;;) {
      const path = {
        kind: 'index',
        index,
        ranges: [{ low, high: range.high }],
        reverse: false,
        scan,
      } as const;
      const record = collection.scan({ ...path, ...(covered && { covered }) }, 1, figures).next();
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
  const records = collection.scan(path);
  for (let record = records.next(); record !== undefined; record = records.next()) {
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
