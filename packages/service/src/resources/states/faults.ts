import { faults } from '@portolan/foundation/faults';

export const stateFaults = faults({
  STATE_NAME_INVALID: [
    400,
    'The state name {0} may contain letters, digits, dots, hyphens and underscores only.',
  ],
  STATE_NOT_FOUND: [404, 'No saved state has the name {0}.'],
  STATE_CHANGE_UNDER_WAY: [409, 'Another state is being saved or restored.'],
  STATE_CANNOT_BE_SAVED: [
    409,
    'The state cannot be saved: a statement has been writing to a cluster for {0} seconds.',
  ],
  STATE_CANNOT_BE_RESTORED: [409, 'The state {0} cannot be restored: {1}.'],
  STATES_NEED_OWN_DATABASE: [
    409,
    'Saved states require a SQLite database, because several instances can share a PostgreSQL database.',
  ],
  NO_FIRST_STATE: [
    409,
    'The state after the first start was not saved: the data directory was created by an earlier version.',
  ],
});
