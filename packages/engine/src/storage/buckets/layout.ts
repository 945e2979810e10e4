import type { RawDocument } from '../../bson/raw.ts';

/** The name of a buckets collection is this prefix and the name of its time series collection. */
export const BUCKETS = 'system.buckets.';

/** The rules that assign measurements to buckets. */
export interface Layout {
  readonly timeField: string;
  readonly metaField: string | undefined;
  /** The times in a bucket are before its start plus this number of milliseconds. */
  readonly spanMs: bigint;
  /** The start of each bucket is a multiple of this number of milliseconds. */
  readonly roundingMs: bigint;
}

/** The rounding of bucket starts by granularity, in seconds, as in the server. */
const rounding: Readonly<Record<string, number>> = { seconds: 60, minutes: 3_600, hours: 86_400 };

/** Reads the option `timeseries` of a collection. */
export function layoutOf(timeseries: RawDocument): Layout {
  const granularity = timeseries.string('granularity') ?? 'seconds';
  const seconds = timeseries.int('bucketRoundingSeconds') ?? rounding[granularity] ?? 60;
  return {
    timeField: timeseries.string('timeField') ?? '',
    metaField: timeseries.string('metaField'),
    spanMs: BigInt(timeseries.int('bucketMaxSpanSeconds') ?? 3_600) * 1_000n,
    roundingMs: BigInt(seconds) * 1_000n,
  };
}
