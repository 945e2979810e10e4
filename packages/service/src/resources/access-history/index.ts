import { type Family, operationsIn } from '../family.ts';
import { accessHistoryFaults } from './faults.ts';
import * as operations from './operations.ts';

export { clustersOnHost, logEngineOf } from './hosts.ts';

export const family: Family = {
  name: 'access-history',
  operations: operationsIn(operations),
  parameters: {
    hostname: {
      description:
        'Host of a node, as in the connection string. To select one of several nodes on the host, add the port: `127.0.0.1:27100`.',
    },
  },
  faults: [accessHistoryFaults],
};
