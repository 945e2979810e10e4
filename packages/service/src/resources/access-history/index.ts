import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { accessHistoryFaults } from './rules.ts';

export { clustersOnHost, logEngineOf } from './hosts.ts';

export const family: Family = {
  name: 'access-history',
  operations: operationsIn(operations),
  parameters: {
    hostname: {
      description: 'Host name or address as in connection strings; a port selects one node.',
    },
  },
  faults: [accessHistoryFaults],
};
