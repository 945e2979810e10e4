import { type Family, operationsIn } from '../family.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { accessListFaults } from './rules.ts';
import { expireEntry } from './tasks.ts';

export { putEntries, removeEntry } from './changes.ts';
export { blocksOf, findEntry } from './rows.ts';
export { readDeletion, requireEntry } from './rules.ts';

export const family: Family = {
  name: 'access-list',
  operations: operationsIn(operations),
  parameters: {
    entryValue: { description: 'Address, or block in CIDR notation with its slash encoded as %2F.' },
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
