import type { Formula } from './formulas.ts';

export const units = [
  ...(['BYTES', 'BYTES_PER_SECOND', 'GIGABYTES', 'GIGABYTES_PER_HOUR', 'KILOBYTES', 'MEGABYTES'] as const),
  ...(['MEGABYTES_PER_SECOND', 'MICROSECONDS', 'MILLISECONDS', 'PERCENT', 'SCALAR'] as const),
  ...(['SCALAR_PER_SECOND', 'SECONDS'] as const),
] as const;
export type Units = (typeof units)[number];

/** A metric. Its key is its name in the reference server. */
export interface Metric {
  readonly units: Units;
  /** Computes the metric. Absent if no engine measures the metric; all points of the metric are then null. */
  readonly read?: Formula;
  /** Why the embedded engine does not measure the metric. */
  readonly reason?: string;
  /** Whether the metric has a `MAX_` form: the maximum within the interval of each point. */
  readonly hasMax?: boolean;
  /** Whether the metric is a quotient of two counts, which is 0 for idle intervals. */
  readonly isRatio?: boolean;
}

/** Reasons why the embedded engine does not measure metrics of the reference server. */
export const reasons = {
  pageCache: 'Node.js does not give access to the page cache statistics of SQLite',
  sharedFile: 'the members of a cluster share one file, so nothing is replicated between them',
  oldStorage: 'the metric belongs to a storage engine that MongoDB no longer supports',
  oneMemory: 'the threads of one process share all memory',
  oneProcess: 'the engine has no child processes',
  tickets: 'the engine does not limit concurrency by tickets; all requests wait in one queue',
  twoKinds:
    'the engine counts errors that callers cause as `ASSERT_USER`, and its own errors as `ASSERT_REGULAR`',
  noThrottling: 'the engine does not reject operations under load; all requests wait in one queue',
  serviceTime:
    'an engine host does not know service time when it starts, so it cannot count its starts per hour',
  notCounted: 'the engine does not measure it',
} as const;

/** Returns metrics that the engine does not measure, all of them for the same reason. */
export function unmeasured(
  unit: Units,
  reason: keyof typeof reasons,
  names: readonly string[],
  hasMax = false,
): Record<string, Metric> {
  return Object.fromEntries(
    names.map((name) => [name, { units: unit, reason: reasons[reason], ...(hasMax ? { hasMax } : {}) }]),
  );
}
