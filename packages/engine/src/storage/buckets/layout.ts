import type { RawDocument } from '../../bson/raw.ts';

/** What stands before the name of a collection of measurements where its buckets are meant. */
export const BUCKETS = 'system.buckets.';

/** How measurements are put into buckets. */
export interface Layout {
  readonly timeField: string;
  readonly metaField: string | undefined;
  /** A bucket holds measurements of less than this time. */
  readonly spanMs: bigint;
  /** It begins at a multiple of this. */
  readonly roundingMs: bigint;
}

/** Where nothing else is said; the server's numbers. */
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
