import { bsonTypes } from '../bson-types.ts';
import { compareBytes } from '../bytes.ts';
import { encodeKey, keysOfType } from '../keys.ts';
import { documentOf } from '../raw.ts';
import { nullValue, Value } from '../value.ts';

/**
 * Where the keys of matching documents lie: intervals of index keys (`encodeKey`), in order and apart. They
 * may hold keys of documents that do not match, so whoever reads by them still asks the filter.
 */
export interface Bounds {
  readonly intervals: readonly Interval[];
}

export interface Interval {
  readonly low: Endpoint;
  readonly high: Endpoint;
}

export interface Endpoint {
  readonly key: Uint8Array;
  readonly inclusive: boolean;
}

export function point(value: Value): Interval {
  const endpoint = { key: encodeKey(value), inclusive: true };
  return { low: endpoint, high: endpoint };
}

export function isPoint(interval: Interval): boolean {
  return interval.low.inclusive && interval.high.inclusive && compareLows(interval.low, interval.high) === 0;
}

/** Equality with any of the values. */
export function boundsOfPoints(values: readonly Value[]): Bounds {
  return { intervals: normalize(values.flatMap(pointsOf)) };
}

/**
 * An array equals the operand as a whole, but its index has the keys of its entries; the first of them will
 * do.
 */
function pointsOf(value: Value): Interval[] {
  if (value.type !== bsonTypes.array) return [point(value)];
  const first = documentOf(value).first();
  return [point(value), point(first ?? undefinedKey)];
}

/** The key of an empty array. */
const undefinedKey = new Value(bsonTypes.undefined, nullValue.bytes, 0, 0);

/** From a value to the end of its type, or from the beginning of its type to the value. */
export function boundsOfComparison(
  operator: '$gt' | '$gte' | '$lt' | '$lte',
  operand: Value,
): Bounds | undefined {
  // Entries of arrays and types on both sides of MinKey and MaxKey are not one interval.
  if (unbounded.has(operand.type)) return undefined;
  const { low, high } = keysOfType(operand.type);
  const end = { key: encodeKey(operand), inclusive: operator === '$gte' || operator === '$lte' };
  const interval =
    operator === '$gt' || operator === '$gte'
      ? { low: end, high: { key: high, inclusive: false } }
      : { low: { key: low, inclusive: true }, high: end };
  return { intervals: [interval] };
}

const unbounded: ReadonlySet<number> = new Set([bsonTypes.array, bsonTypes.minKey, bsonTypes.maxKey]);

/** What lies in both. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const left of a.intervals) {
    for (const right of b.intervals) {
      const low = compareLows(left.low, right.low) >= 0 ? left.low : right.low;
      const high = compareHighs(left.high, right.high) <= 0 ? left.high : right.high;
      if (!isEmptyInterval(low, high)) intervals.push({ low, high });
    }
  }
  return { intervals: normalize(intervals) };
}

function isEmptyInterval(low: Endpoint, high: Endpoint): boolean {
  const order = compareBytes(low.key, high.key);
  return order > 0 || (order === 0 && !(low.inclusive && high.inclusive));
}

/** An inclusive lower end comes before an exclusive one. */
function compareLows(a: Endpoint, b: Endpoint): number {
  return compareBytes(a.key, b.key) || Number(b.inclusive) - Number(a.inclusive);
}

function compareHighs(a: Endpoint, b: Endpoint): number {
  return compareBytes(a.key, b.key) || Number(a.inclusive) - Number(b.inclusive);
}

/** In order, overlapping intervals made one. */
function normalize(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted((a, b) => compareLows(a.low, b.low))) {
    const last = merged.at(-1);
    if (last === undefined || isEmptyInterval(interval.low, last.high)) merged.push(interval);
    else if (compareHighs(interval.high, last.high) > 0) {
      merged[merged.length - 1] = { low: last.low, high: interval.high };
    }
  }
  return merged;
}
