import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { STATE_NAME, stateFaults } from './rules.ts';

/** The service as a whole, saved and brought back; what does so is given by who runs it. */
export const family: Family = {
  name: 'states',
  operations: operationsIn(operations),
  parameters: {
    stateName: {
      description: 'The name of a saved state.',
      pattern: STATE_NAME,
      malformed: (value) => stateFaults.STATE_NAME_INVALID(value),
    },
  },
  faults: [stateFaults],
};

export { STATE_NAME, stateFaults };
