import { type Family, operationsIn } from '../family.ts';
import * as operations from './operations.ts';
import { logFaults } from './rules.ts';

export const family: Family = {
  name: 'logs',
  operations: operationsIn(operations),
  parameters: {
    hostName: {
      description: 'The name or address of a host, as connection strings have it; a port tells nodes apart.',
    },
    logName: {
      description:
        'Which log: that of data nodes (`db`) or of routers (`mongos`), or what they write for audits.',
    },
  },
  faults: [logFaults],
};
