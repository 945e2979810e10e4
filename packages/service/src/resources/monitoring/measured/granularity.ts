/** A granularity of points: the length of their intervals, their source and their retention. */
export interface Granularity {
  readonly name: GranularityName;
  readonly seconds: number;
  /**
   * Length in seconds of the stored rows from which points are computed. Absent if points are computed from the
   * engine's samples.
   */
  readonly stored?: number;
  readonly retentionSeconds: number;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

export const granularityNames = ['PT10S', 'PT1M', 'PT5M', 'PT30M', 'PT1H', 'P1D'] as const;
type GranularityName = (typeof granularityNames)[number];

/** Retention as in docs/contract/clusters.md 10. Points of ten seconds are kept for 8 hours. */
export const granularities: ReadonlyMap<string, Granularity> = new Map(
  (
    [
      { name: 'PT10S', seconds: 10, retentionSeconds: 8 * HOUR },
      { name: 'PT1M', seconds: MINUTE, stored: MINUTE, retentionSeconds: 48 * HOUR },
      { name: 'PT5M', seconds: 5 * MINUTE, stored: MINUTE, retentionSeconds: 48 * HOUR },
      { name: 'PT30M', seconds: 30 * MINUTE, stored: MINUTE, retentionSeconds: 48 * HOUR },
      { name: 'PT1H', seconds: HOUR, stored: HOUR, retentionSeconds: 63 * DAY },
      { name: 'P1D', seconds: DAY, stored: DAY, retentionSeconds: Number.POSITIVE_INFINITY },
    ] satisfies Granularity[]
  ).map((granularity: Granularity) => [granularity.name, granularity]),
);

/** Lengths of stored rows in seconds. Each sample counts in one row of each length. */
export const storedSeconds = [MINUTE, HOUR, DAY] as const;

/** Retention of stored rows. */
export const retentions: ReadonlyArray<readonly [seconds: number, retentionMs: number]> = [
  [MINUTE, 48 * HOUR * 1000],
  [HOUR, 63 * DAY * 1000],
];

/** Returns the start of the interval of `seconds` that contains `time`. Both times are in milliseconds since 1970. */
export function startOf(time: number, seconds: number): number {
  const millis = seconds * 1000;
  return Math.floor(time / millis) * millis;
}
