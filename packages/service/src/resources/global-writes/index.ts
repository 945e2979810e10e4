import { type Family, operationsIn } from '../family.ts';
import { globalWritesFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { followUpdates, placeNamespaces } from './tasks.ts';

export const family: Family = {
  name: 'global-writes',
  operations: operationsIn(operations),
  migrations,
  tasks: [placeNamespaces],
  eventTypes: { MANAGED_NAMESPACE_FAILED: 'Collection could not be sharded by location' },
  subscriptions: [followUpdates],
  faults: [globalWritesFaults],
};
