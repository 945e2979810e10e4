import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { accessHistoryFaults } from './rules.ts';

export const family: Family = {
  name: 'access-history',
  operations: operationsIn(operations),
  parameters: {
    hostname: {
      description: 'The name or address of a host, as connection strings have it, without a port.',
    },
  },
  faults: [accessHistoryFaults],
};
