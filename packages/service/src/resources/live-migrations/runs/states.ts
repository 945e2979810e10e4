export const migrationStatuses = ['NEW', 'WORKING', 'FAILED', 'COMPLETE', 'EXPIRED'] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];

export type Ending = 'COMPLETE' | 'FAILED' | 'EXPIRED';

/**
 * The states of a migration with their status in the API. `CHECKING`: source and destination are being checked.
 * `PREPARING`: the destination is being emptied, and the migration host gets access. `RUNNING`: the migration host
 * copies the data and later changes. `ENDING`: the copy is complete, and the checkpoints are being removed from the
 * destination.
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
