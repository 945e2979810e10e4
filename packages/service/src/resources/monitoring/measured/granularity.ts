/** How long each point of an answer is, where it comes from, and how long it is kept. */
export interface Granularity {
  readonly name: GranularityName;
  readonly seconds: number;
  /** Length of the rows that are put together; absent: out of the samples that the engine keeps. */
  readonly stored?: number;
  readonly retentionSeconds: number;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

export const granularityNames = ['PT10S', 'PT1M', 'PT5M', 'PT30M', 'PT1H', 'P1D'] as const;
type GranularityName = (typeof granularityNames)[number];

/** Retention as the behaviour reference (section 10) has it; points of ten seconds are kept as long as 8 hours. */
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

/** Lengths of stored rows: every sample counts in one of each. */
export const storedSeconds = [MINUTE, HOUR, DAY] as const;

/** Of stored rows, how long they are kept. */
export const retentions: ReadonlyArray<readonly [seconds: number, retentionMs: number]> = [
  [MINUTE, 48 * HOUR * 1000],
  [HOUR, 63 * DAY * 1000],
];

/** The beginning of the time of that length in which `time` lies, both in milliseconds. */
export function startOf(time: number, seconds: number): number {
  const millis = seconds * 1000;
  return Math.floor(time / millis) * millis;
}
