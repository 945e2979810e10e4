import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { accessHistoryFaults } from './rules.ts';

export { clustersOnHost, recordsOf } from './hosts.ts';

export const family: Family = {
  name: 'access-history',
  operations: operationsIn(operations),
  parameters: {
    hostname: {
      description: 'The name or address of a host, as connection strings have it; a port tells nodes apart.',
    },
  },
  faults: [accessHistoryFaults],
};
