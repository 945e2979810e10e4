import { BucketError, isLasting } from '../../../objects/object-store.ts';
import { BackupDamaged } from './chunk-store.ts';

/** About a minute with the pauses between attempts: most outages of a store are shorter. */
const ATTEMPTS_WHILE_UNAVAILABLE = 11;
/** A few seconds, for transient errors. */
const DEFAULT_ATTEMPTS = 5;

/** Of the errors of several sources, returns the one that allows the most attempts. */
export function mostRetryable(problems: readonly unknown[]): unknown {
  const worth = (problem: unknown) => (problem instanceof Error ? attemptsFor(problem) : DEFAULT_ATTEMPTS);
  return problems.toSorted((one, other) => worth(other) - worth(one))[0];
}

/** The number of attempts of a task that reads or writes snapshots, by the error of the last attempt. */
export function attemptsFor(error: Error): number {
  if (error instanceof BackupDamaged) return 1;
  if (!(error instanceof BucketError)) return DEFAULT_ATTEMPTS;
  if (isLasting(error)) return 1;
  return error.trouble === 'unavailable' ? ATTEMPTS_WHILE_UNAVAILABLE : DEFAULT_ATTEMPTS;
}
