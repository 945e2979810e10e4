import { BucketError, isLasting } from '../../../objects/object-store.ts';
import { VaultDamaged } from './vault.ts';

/** With the pauses between the attempts of tasks this is about a minute: a store that was away is back by then. */
const WHILE_AWAY = 11;
/** Seconds, for whatever passes by itself. */
const OTHERWISE = 5;

/** Of what has failed in one place after another that which is worth most attempts, if there is anything. */
export function mostHopeful(problems: readonly unknown[]): unknown {
  const worth = (problem: unknown) => (problem instanceof Error ? attemptsFor(problem) : OTHERWISE);
  return problems.toSorted((one, other) => worth(other) - worth(one))[0];
}

/** How often what reads or writes snapshots, or brings them elsewhere, may fail with an error before it has failed. */
export function attemptsFor(error: Error): number {
  if (error instanceof VaultDamaged) return 1;
  if (!(error instanceof BucketError)) return OTHERWISE;
  if (isLasting(error)) return 1;
  return error.trouble === 'unavailable' ? WHILE_AWAY : OTHERWISE;
}
