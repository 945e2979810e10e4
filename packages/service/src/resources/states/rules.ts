import { faults } from '@portolan/foundation/faults';

/** A name is that of a folder; those of the service's own begin with a dot. */
export const STATE_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

export const stateFaults = faults({
  STATE_NAME_INVALID: [400, 'The name {0} is none for a state: letters, digits, dots, hyphens, underscores.'],
  STATE_NOT_FOUND: [404, 'There is no saved state {0}.'],
  STATE_CHANGE_UNDER_WAY: [409, 'Another state is being saved or restored.'],
  STATE_CANNOT_BE_RESTORED: [409, 'The state {0} cannot be restored: {1}.'],
  STATES_NEED_OWN_DATABASE: [
    409,
    'States are saved and restored where the service has its database to itself, and not over PostgreSQL.',
  ],
  NO_FIRST_STATE: [
    409,
    'The state after the first start is not there: the data directory was made by an earlier version.',
  ],
});
