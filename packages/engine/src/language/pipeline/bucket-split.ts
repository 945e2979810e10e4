import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int32, type Value } from '../../bson/value.ts';
import type { Granularity } from './granularity.ts';

/** A document with the value that determines its bucket. */
export interface Keyed {
  readonly key: Value;
  readonly doc: RawDocument;
}

/** A bucket: its boundaries (the lower one is inclusive) and its documents. */
export interface Bucket {
  readonly min: Value;
  readonly max: Value;
  readonly docs: readonly Keyed[];
}

interface End {
  /** The index after the bucket's last document. */
  readonly end: number;
  readonly max: Value;
}

/** Splits documents evenly. The last bucket contains the documents that are left over because of rounding. */
export function splitBuckets(
  sorted: readonly Keyed[],
  count: number,
  comparison: Comparison,
  granularity: Granularity | undefined,
): Bucket[] {
  const size = Math.max(1, Math.round(sorted.length / count));
  const buckets: Bucket[] = [];
  let at = 0;
  while (at < sorted.length) {
    const least = buckets.length === count - 1 ? sorted.length : Math.min(at + size, sorted.length);
    const { end, max } = granularity
      ? roundedEnd(sorted, least, comparison, granularity)
      : endOf(sorted, least, comparison);
    const own = keyAt(sorted, at);
    const min = granularity ? (buckets.at(-1)?.max ?? granularity.down(own)) : own;
    buckets.push({ min, max, docs: sorted.slice(at, end) });
    at = end;
  }
  return buckets;
}

function keyAt(sorted: readonly Keyed[], place: number): Value {
  return (sorted[place] as Keyed).key;
}

/**
 * Returns the end of a bucket, moved so that equal values stay together. The upper boundary of a bucket is
 * the first value of the next bucket. For the last bucket, it is the greatest value in the bucket.
 */
function endOf(sorted: readonly Keyed[], least: number, { compare }: Comparison): End {
  const key = keyAt(sorted, least - 1);
  let end = least;
  while (end < sorted.length && compare(keyAt(sorted, end), key) === 0) end++;
  return { end, max: end < sorted.length ? keyAt(sorted, end) : key };
}

/**
 * Returns the end of a bucket whose upper boundary is rounded. The bucket contains all values below that boundary. If
 * the boundary is zero, the bucket contains the zeros, and the boundary becomes the next value rounded down.
 */
function roundedEnd(
  sorted: readonly Keyed[],
  least: number,
  { compare }: Comparison,
  { up, down }: Granularity,
): End {
  const boundary = up(keyAt(sorted, least - 1));
  const isZero = compare(boundary, int32(0)) === 0;
  let end = least;
  while (end < sorted.length && compare(keyAt(sorted, end), boundary) < (isZero ? 1 : 0)) end++;
  return { end, max: isZero && end < sorted.length ? down(keyAt(sorted, end)) : boundary };
}
