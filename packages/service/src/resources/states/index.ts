import { type Family, operationsIn } from '../family.ts';
import { stateFaults } from './faults.ts';
import * as operations from './operations.ts';
import { STATE_NAME } from './rules.ts';

/** Saved states of the whole service. The process that runs the service saves and restores them. */
export const family: Family = {
  name: 'states',
  operations: operationsIn(operations),
  parameters: {
    stateName: {
      description: 'Name of the saved state.',
      pattern: STATE_NAME,
      malformed: (value) => stateFaults.STATE_NAME_INVALID(value),
    },
  },
  faults: [stateFaults],
};

export { STATE_NAME, stateFaults };
