import type { Reading } from './readings.ts';

export const units = [
  ...(['BYTES', 'BYTES_PER_SECOND', 'GIGABYTES', 'GIGABYTES_PER_HOUR', 'KILOBYTES', 'MEGABYTES'] as const),
  ...(['MEGABYTES_PER_SECOND', 'MICROSECONDS', 'MILLISECONDS', 'PERCENT', 'SCALAR'] as const),
  ...(['SCALAR_PER_SECOND', 'SECONDS'] as const),
] as const;
export type Units = (typeof units)[number];

/** A metric under its name in the reference. */
export interface Metric {
  readonly units: Units;
  /** Absent for what the embedded engine cannot count: its points have no value. */
  readonly read?: Reading;
  /** Why, then. */
  readonly reason?: string;
  /** There is a metric `MAX_` of it, too: the highest value of each point's time. */
  readonly most?: boolean;
  /** How much of one count comes to each of another: of times in which nothing was asked it says nothing bad. */
  readonly isRatio?: boolean;
}

/** Why the embedded engine does not count what the reference names. */
export const reasons = {
  pageCache: 'the page cache of SQLite does not tell of itself',
  sharedFile: 'the members of a cluster share one file: nothing is copied from one to another',
  oldStorage: 'belongs to a storage engine that the reference has given up',
  oneMemory: 'threads of one process share all of it',
  oneProcess: 'the engine has no child processes',
  tickets: 'the engine has no tickets: requests wait in one queue',
  twoKinds: 'an error is that of a caller (`ASSERT_USER`) or of the engine (`ASSERT_REGULAR`)',
  noThrottling: 'the engine throttles nothing: requests wait in one queue',
  serviceTime: 'a process that starts does not know service time yet',
  notCounted: 'the engine does not count it',
} as const;

/** Several names that nobody counts, for one reason. */
export function unmeasured(
  unit: Units,
  reason: keyof typeof reasons,
  names: readonly string[],
  most = false,
): Record<string, Metric> {
  return Object.fromEntries(
    names.map((name) => [name, { units: unit, reason: reasons[reason], ...(most ? { most } : {}) }]),
  );
}
