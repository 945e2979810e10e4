import { type Family, operationsIn } from '../family.ts';
import { commandFaults } from './faults.ts';
import * as operations from './operations.ts';

export const family: Family = {
  name: 'database-commands',
  operations: operationsIn(operations),
  faults: [commandFaults],
};
