import { type Family, operationsIn } from '../family.ts';
import { logFaults } from './faults.ts';
import * as operations from './operations.ts';

export const family: Family = {
  name: 'logs',
  operations: operationsIn(operations),
  parameters: {
    hostName: {
      description:
        'Host of a node, as in the connection string. To select one of several nodes on the host, add the port: `127.0.0.1:27100`.',
    },
    logName: {
      description:
        'Name of the log: `db` for data nodes, `mongos` for routers, `db-audit-log` and `mongos-audit-log` for their audit logs.',
    },
  },
  faults: [logFaults],
};
