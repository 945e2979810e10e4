export const migrationStatuses = ['NEW', 'WORKING', 'FAILED', 'COMPLETE', 'EXPIRED'] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];

export type Ending = 'COMPLETE' | 'FAILED' | 'EXPIRED';

/**
 * Every state with its status in the API. `CHECKING`: source and destination are checked. `PREPARING`: the destination
 * is emptied, and the migration host is granted access. `RUNNING`: the migration host works. `ENDING`: access and
 * checkpoints are removed from the destination.
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

/** The states in which the destination is reserved for the migration. */
export const openStates = [
  'CHECKING',
  'PREPARING',
  'RUNNING',
  'ENDING',
] as const satisfies readonly MigrationState[];

export function isOpen(state: MigrationState): boolean {
  return openStates.some((one) => one === state);
}
