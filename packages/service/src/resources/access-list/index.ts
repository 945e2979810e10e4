import { type Family, operationsIn } from '../family.ts';
import { accessListFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { expireEntry } from './tasks.ts';

export { putEntries, removeEntry } from './changes.ts';
export { blocksOf, findEntry } from './rows.ts';
export { readDeletion, requireEntry } from './rules.ts';

export const family: Family = {
  name: 'access-list',
  operations: operationsIn(operations),
  parameters: {
    entryValue: { description: 'IP address, or CIDR block with its slash encoded: `192.0.2.0%2F24`.' },
  },
  migrations,
  tasks: [expireEntry],
  eventTypes: {
    NETWORK_PERMISSION_ENTRY_ADDED: 'Address was added to the access list',
    NETWORK_PERMISSION_ENTRY_UPDATED: 'Address on the access list was changed',
    NETWORK_PERMISSION_ENTRY_REMOVED: 'Address was removed from the access list',
  },
  faults: [accessListFaults],
};
