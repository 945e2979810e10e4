import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { logFaults } from './rules.ts';

export const family: Family = {
  name: 'logs',
  operations: operationsIn(operations),
  parameters: {
    hostName: {
      description:
        'Host of a node, as in the connection string. With a port (`127.0.0.1:27100`) it selects one node, otherwise all nodes of the host.',
    },
    logName: {
      description:
        'Name of the log: `db` of data nodes, `mongos` of routers, or their audit logs `db-audit-log` and `mongos-audit-log`.',
    },
  },
  faults: [logFaults],
};
