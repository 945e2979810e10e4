import { type Family, operationsIn } from '../family.ts';
import { seedFaults } from './faults.ts';
import * as operations from './operations.ts';

export { shownSeed } from './rules.ts';

/** Seeds. A seed is content that the service creates at its start, or when an operator requests it. */
export const family: Family = {
  name: 'seeds',
  operations: operationsIn(operations),
  faults: [seedFaults],
};
