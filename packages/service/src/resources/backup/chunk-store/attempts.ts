import { BucketError, isLasting } from '../../../objects/object-store.ts';
import { PermanentError } from '../../../replication/permanent-error.ts';
import { BackupDamaged } from './chunk-store.ts';

/** Number of attempts while a store is unavailable. They take about a minute. Most outages of a store are shorter. */
const ATTEMPTS_WHILE_UNAVAILABLE = 11;
/** Number of attempts after other errors. They take a few seconds, which is enough for transient errors. */
const DEFAULT_ATTEMPTS = 5;

/** Returns, from the errors of several sources, the one that permits the most attempts. */
export function mostRetryable(problems: readonly unknown[]): unknown {
  const worth = (problem: unknown) => (problem instanceof Error ? attemptsFor(problem) : DEFAULT_ATTEMPTS);
  return problems.toSorted((one, other) => worth(other) - worth(one))[0];
}

/** How often a task that reads or writes snapshots is attempted, depending on its last error. */
export function attemptsFor(error: Error): number {
  if (error instanceof BackupDamaged || error instanceof PermanentError) return 1;
  if (!(error instanceof BucketError)) return DEFAULT_ATTEMPTS;
  if (isLasting(error)) return 1;
  return error.trouble === 'unavailable' ? ATTEMPTS_WHILE_UNAVAILABLE : DEFAULT_ATTEMPTS;
}
