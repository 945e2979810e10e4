export const migrationStatuses = ['NEW', 'WORKING', 'FAILED', 'COMPLETE', 'EXPIRED'] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];

export type Ending = 'COMPLETE' | 'FAILED' | 'EXPIRED';

/**
 * Every state, and how it is shown. `CHECKING`: source and destination are looked at. `PREPARING`: the destination is
 * emptied, and the migration host let in. `RUNNING`: it works. `ENDING`: what the migration has put into the destination
 * for itself is taken away.
 */
export const states = {
  CHECKING: 'NEW',
  PREPARING: 'NEW',
  RUNNING: 'WORKING',
  ENDING: 'WORKING',
  COMPLETE: 'COMPLETE',
  FAILED: 'FAILED',
  EXPIRED: 'EXPIRED',
} as const satisfies Record<string, MigrationStatus>;

export type MigrationState = keyof typeof states;

/** Those in which the cluster belongs to the migration. */
export const openStates = [
  'CHECKING',
  'PREPARING',
  'RUNNING',
  'ENDING',
] as const satisfies readonly MigrationState[];

export function isOpen(state: MigrationState): boolean {
  return openStates.some((one) => one === state);
}
