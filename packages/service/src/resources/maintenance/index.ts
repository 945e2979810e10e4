import { type Family, operationsIn } from '../family.ts';
import { maintenanceFaults } from './faults.ts';
import { followClusters, followPins } from './hooks.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { maintenanceEvents } from './rules.ts';
import { beginMaintenance } from './tasks.ts';

export { windowSet } from './changes.ts';

export const family: Family = {
  name: 'maintenance',
  operations: operationsIn(operations),
  migrations,
  tasks: [beginMaintenance],
  eventTypes: maintenanceEvents,
  hooks: [followClusters, followPins],
  faults: [maintenanceFaults],
};
