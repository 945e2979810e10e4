import type { RawDocument } from '../../bson/raw.ts';

/** Prefix of the name of a time series collection that denotes its buckets. */
export const BUCKETS = 'system.buckets.';

/** How measurements are grouped into buckets. */
export interface Layout {
  readonly timeField: string;
  readonly metaField: string | undefined;
  /** A bucket covers less than this time. */
  readonly spanMs: bigint;
  /** The start of a bucket is a multiple of this. */
  readonly roundingMs: bigint;
}

/** Defaults by granularity, as in the server. */
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
