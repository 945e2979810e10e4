import { bsonTypes } from '../../bson/bson-types.ts';
import { compareBytes } from '../../bson/bytes.ts';
import { encodeKey, keysOfType } from '../../bson/keys.ts';
import { isNaNValue } from '../../bson/numbers/compare.ts';
import { documentOf } from '../../bson/raw.ts';
import { keep } from '../../bson/turns.ts';
import { double, isNumber, maxKey, minKey, nullValue, string, Value } from '../../bson/value.ts';

/**
 * Intervals of index keys (`encodeKey`), disjoint and sorted, that contain the keys of all matching documents. They may
 * contain keys of other documents, so the filter must still be tested.
 */
export interface Bounds {
  readonly intervals: readonly Interval[];
  /** True if every value whose key lies in the intervals meets the condition. */
  readonly exact?: boolean;
}

export interface Interval {
  readonly low: Endpoint;
  readonly high: Endpoint;
}

export interface Endpoint {
  readonly key: Uint8Array;
  readonly inclusive: boolean;
  /** The value at this end, for `explain`; absent at the boundary between types. */
  readonly value?: Value;
  /** Replaces the value in `explain`, for keys under a collation. */
  readonly text?: string;
}

export function point(value: Value): Interval {
  const endpoint = { key: encodeKey(value), inclusive: true, value };
  return { low: endpoint, high: endpoint };
}

export function isPoint(interval: Interval): boolean {
  return interval.low.inclusive && interval.high.inclusive && compareLows(interval.low, interval.high) === 0;
}

/**
 * Maximum number of values for which each value has its own interval. More values share one interval, from the least to
 * the greatest: reading all keys in it takes no longer than hundreds of thousands of lookups.
 */
const MAX_POINTS = 100_000;
/** Estimated memory of an interval. */
const INTERVAL_BYTES = 256;

/**
 * Returns the bounds of equality with any of the values. The intervals are computed when they are first read, because
 * most conditions concern fields without an index.
 */
export function boundsOfPoints(values: Iterable<Value>): Bounds {
  let count = 0;
  let exact = true;
  for (const { type } of values) {
    count++;
    if (type === bsonTypes.array) exact = false;
  }
  if (count > MAX_POINTS) return computed(false, () => [spanOf(values)]);
  return computed(exact, () => {
    if (count > 1) keep(count * INTERVAL_BYTES, 'the bounds of a filter');
    return intervalsAt(values);
  });
}

function computed(exact: boolean, compute: () => readonly Interval[]): Bounds {
  let intervals: readonly Interval[] | undefined;
  return {
    exact,
    get intervals() {
      intervals ??= compute();
      return intervals;
    },
  };
}

function intervalsAt(values: Iterable<Value>): Interval[] {
  const intervals: Interval[] = [];
  for (const value of values) intervals.push(...pointsOf(value));
  return normalize(intervals);
}

/** Returns the interval from the least of the values to the greatest. */
function spanOf(values: Iterable<Value>): Interval {
  let span: Interval | undefined;
  for (const value of values) {
    for (const interval of pointsOf(value)) {
      span = {
        low: span !== undefined && compareLows(span.low, interval.low) <= 0 ? span.low : interval.low,
        high: span !== undefined && compareHighs(span.high, interval.high) >= 0 ? span.high : interval.high,
      };
    }
  }
  return span ?? allKeys;
}

/**
 * Returns intervals that contain a key of every value that equals the operand. An index has one key for each element of
 * an array, and one for a whole array that is an element itself. So the intervals of an array contain its first element
 * and the array itself.
 */
function pointsOf(value: Value): Interval[] {
  if (value.type !== bsonTypes.array) return [point(value)];
  const first = documentOf(value).first();
  return [point(value), point(first ?? undefinedKey)];
}

/** The value under which an empty array is indexed. */
const undefinedKey = new Value(bsonTypes.undefined, nullValue.bytes, 0, 0);

/** Returns the bounds from the operand to the end of its type, or from the beginning of its type to the operand. */
export function boundsOfComparison(
  operator: '$gt' | '$gte' | '$lt' | '$lte',
  operand: Value,
): Bounds | undefined {
  // Arrays have one key per entry, and MinKey and MaxKey compare with every type, so these have no single interval.
  if (unbounded.has(operand.type)) return undefined;
  const inclusive = operator === '$gte' || operator === '$lte';
  // Null and NaN are comparable only with themselves.
  if (operand.type === bsonTypes.null || (isNumber(operand) && isNaNValue(operand))) {
    return inclusive ? boundsOfPoints([operand]) : { intervals: [], exact: true };
  }
  return computed(true, () => {
    const { low, high } = keysOfType(operand.type);
    const end = { key: encodeKey(operand), inclusive, value: operand };
    const interval =
      operator === '$gt' || operator === '$gte'
        ? { low: end, high: { key: high, inclusive: false } }
        : { low: isNumber(operand) ? leastNumber : { key: low, inclusive: true }, high: end };
    return isEmptyInterval(interval.low, interval.high) ? [] : [interval];
  });
}

/** The least number that a comparison can match: NaN sorts below it, but is not less than any number. */
const leastNumber: Endpoint = {
  key: encodeKey(double(Number.NEGATIVE_INFINITY)),
  inclusive: true,
  value: double(Number.NEGATIVE_INFINITY),
};

const unbounded: ReadonlySet<number> = new Set([bsonTypes.array, bsonTypes.minKey, bsonTypes.maxKey]);

/** The interval of all keys. */
export const allKeys: Interval = {
  low: { key: encodeKey(minKey), inclusive: true, value: minKey },
  high: { key: encodeKey(maxKey), inclusive: true, value: maxKey },
};

export function isAllKeys(intervals: readonly Interval[]): boolean {
  const [only, ...others] = intervals;
  if (only === undefined || others.length > 0) return false;
  return compareLows(only.low, allKeys.low) <= 0 && compareHighs(only.high, allKeys.high) >= 0;
}

/** Returns the bounds of all values of the types, and of other types that compare with them. */
export function boundsOfTypes(types: readonly number[], exact: boolean): Bounds {
  const intervals = types.map((type): Interval => {
    const { low, high } = keysOfType(type);
    return { low: { key: low, inclusive: true }, high: { key: high, inclusive: false } };
  });
  return { intervals: normalize(intervals), exact };
}

/** Returns the interval of strings with a prefix. */
export function intervalOfPrefix(prefix: string): Interval {
  const start = string(prefix);
  const low = encodeKey(start).slice(0, -1);
  const next = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  const high = low.slice();
  // UTF-8 never contains the byte 0xff, so the increment cannot overflow.
  high[high.length - 1] = (high[high.length - 1] as number) + 1;
  return {
    low: { key: low, inclusive: true, value: start },
    high: { key: high, inclusive: false, value: string(next) },
  };
}

const nullKey = encodeKey(nullValue);

/** True if the bounds include the key of null. Missing fields have this key as well. */
export function holdsNull({ intervals }: Bounds): boolean {
  return intervals.some(({ low, high }) => {
    const [above, below] = [compareBytes(nullKey, low.key), compareBytes(nullKey, high.key)];
    return (above > 0 || (above === 0 && low.inclusive)) && (below < 0 || (below === 0 && high.inclusive));
  });
}

/** Returns the union of bounds. */
export function unite(bounds: readonly Bounds[]): Bounds {
  return {
    intervals: normalize(bounds.flatMap(({ intervals }) => intervals)),
    exact: bounds.every(({ exact }) => exact === true),
  };
}

/** Returns the complement of bounds. */
export function complement(bounds: Bounds): Bounds {
  return computed(bounds.exact === true, () => gapsIn(bounds.intervals));
}

function gapsIn(intervals: readonly Interval[]): Interval[] {
  const gaps: Interval[] = [];
  let low = allKeys.low;
  for (const interval of intervals) {
    const high = opposite(interval.low);
    if (!isEmptyInterval(low, high)) gaps.push({ low, high });
    low = opposite(interval.high);
  }
  if (!isEmptyInterval(low, allKeys.high)) gaps.push({ low, high: allKeys.high });
  return gaps;
}

function opposite(endpoint: Endpoint): Endpoint {
  return { ...endpoint, inclusive: !endpoint.inclusive };
}

/** Returns the intersection of bounds, computed in one pass because both lists are disjoint and sorted. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (let i = 0, j = 0; i < a.intervals.length && j < b.intervals.length; ) {
    const left = a.intervals[i] as Interval;
    const right = b.intervals[j] as Interval;
    const low = compareLows(left.low, right.low) >= 0 ? left.low : right.low;
    const leftEndsFirst = compareHighs(left.high, right.high) <= 0;
    const high = leftEndsFirst ? left.high : right.high;
    if (!isEmptyInterval(low, high)) intervals.push({ low, high });
    if (leftEndsFirst) i++;
    else j++;
  }
  return { intervals, exact: a.exact === true && b.exact === true };
}

function isEmptyInterval(low: Endpoint, high: Endpoint): boolean {
  const order = compareBytes(low.key, high.key);
  return order > 0 || (order === 0 && !(low.inclusive && high.inclusive));
}

/** Compares two lower ends. An inclusive end sorts before an exclusive one. */
function compareLows(a: Endpoint, b: Endpoint): number {
  return compareBytes(a.key, b.key) || Number(b.inclusive) - Number(a.inclusive);
}

function compareHighs(a: Endpoint, b: Endpoint): number {
  return compareBytes(a.key, b.key) || Number(a.inclusive) - Number(b.inclusive);
}

/** Sorts the intervals and merges overlapping ones. */
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
