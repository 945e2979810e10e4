import { SILENCE_MS } from '../links/rules.ts';
import { STALL_MS } from './changes.ts';
import type { MigrationRow } from './rows.ts';

/**
 * Returns why a migration has been without progress for too long; undefined if it may continue. The time of the last
 * progress is not sufficient, because operators can move service time forward. The migration must also make no progress
 * at the moment.
 */
export function stallOf(row: Migration, now: Date, machineNow: number): string | undefined {
  const { alive } = row.progress;
  if (alive === undefined || now.getTime() - Date.parse(alive) < STALL_MS) return undefined;
  return hindranceOf(row, machineNow);
}

type Migration = Pick<MigrationRow, 'state' | 'progress'>;

/** Returns why a migration makes no progress at the moment; undefined if it makes progress. */
export function hindranceOf({ state, progress }: Migration, machineNow: number): string | undefined {
  const { host, alive = '', obstacle, told = 0 } = progress;
  if (machineNow - told > SILENCE_MS) return silence(state, host, alive);
  return obstacle && `the migration host ${host} has made no progress since ${alive}: ${obstacle}`;
}

function silence(state: MigrationRow['state'], host: string, alive: string): string {
  if (state === 'CHECKING')
    return `the source and the destination have not been checked since ${alive}: the migration host ${host} reports nothing about the source, or the destination does not answer`;
  if (state === 'PREPARING')
    return `the destination has not been prepared since ${alive}: its nodes do not have the database user of the migration yet`;
  return `the migration host ${host} has reported no progress since ${alive}`;
}
