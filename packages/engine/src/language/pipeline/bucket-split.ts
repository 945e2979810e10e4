import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int32, type Value } from '../../bson/value.ts';
import type { Granularity } from './granularity.ts';

/** A document with the value that determines its bucket. */
export interface Keyed {
  readonly key: Value;
  readonly doc: RawDocument;
}

/** A bucket while documents are added. */
interface OpenBucket {
  add(doc: RawDocument): void;
  /** Returns the result. The lower boundary is inclusive. */
  result(min: Value, max: Value): RawDocument;
}

interface Splitting {
  /** Number of documents. */
  readonly total: number;
  /** Maximum number of buckets. */
  readonly count: number;
  readonly comparison: Comparison;
  readonly granularity: Granularity | undefined;
  open(): OpenBucket;
}

/**
 * Splits sorted documents evenly, and yields the results of the buckets. The last bucket contains the documents that are
 * left over because of rounding. Reads the documents once, because they may be on disk.
 */
export function* splitBuckets(
  sorted: Iterable<Keyed>,
  { total, count, comparison, granularity, open }: Splitting,
): Generator<RawDocument> {
  const size = Math.max(1, Math.round(total / count));
  const rest = sorted[Symbol.iterator]();
  const read = () => rest.next().value as Keyed | undefined;
  let next = read();
  let min: Value | undefined;
  for (let at = 0, left = count; next !== undefined; left--) {
    const bucket = open();
    const least = left === 1 ? total : Math.min(at + size, total);
    min = granularity ? (min ?? granularity.down(next.key)) : next.key;
    let last = next.key;
    for (; next !== undefined && at < least; at++, next = read()) {
      bucket.add(next.doc);
      last = next.key;
    }
    const { includes, max } = endOf(last, comparison, granularity);
    for (; next !== undefined && includes(next.key); at++, next = read()) bucket.add(next.doc);
    const end = max(next?.key);
    yield bucket.result(min, end);
    min = end;
  }
}

interface End {
  /** True if `key`, the next value, still belongs to the bucket. */
  includes(key: Value): boolean;
  /** Returns the upper boundary, given the first value of the next bucket. */
  max(next: Value | undefined): Value;
}

function endOf(last: Value, { compare }: Comparison, granularity: Granularity | undefined): End {
  // Equal values stay together.
  if (granularity === undefined) {
    return { includes: (key) => compare(key, last) === 0, max: (next) => next ?? last };
  }
  // The bucket contains all values below the rounded boundary. If the boundary is zero, the bucket contains the zeros,
  // and the boundary becomes the next value rounded down.
  const boundary = granularity.up(last);
  const isZero = compare(boundary, int32(0)) === 0;
  return {
    includes: (key) => compare(key, boundary) < (isZero ? 1 : 0),
    max: (next) => (isZero && next !== undefined ? granularity.down(next) : boundary),
  };
}
