import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { logFaults } from './rules.ts';

export const family: Family = {
  name: 'logs',
  operations: operationsIn(operations),
  parameters: {
    hostName: {
      description: 'Host name or address as in connection strings; a port selects one node.',
    },
    logName: {
      description: 'Name of the log: of data nodes (`db`) or routers (`mongos`), or their audit logs.',
    },
  },
  faults: [logFaults],
};
