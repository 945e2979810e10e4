import { type Family, operationsIn } from '../family.ts';
import { seedFaults } from './faults.ts';
import * as operations from './operations.ts';

export { shownSeed } from './rules.ts';

/** Seeds: the content that an operator, or the command that starts the service, lets the service create. */
export const family: Family = {
  name: 'seeds',
  operations: operationsIn(operations),
  faults: [seedFaults],
};
