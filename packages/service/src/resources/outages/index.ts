import { type Family, operationsIn } from '../family.ts';
import { outageFaults } from './faults.ts';
import { followChanges, followRemoval } from './hooks.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { outageEvents } from './rules.ts';
import { deleteCompleted, endOutage, expireOutage, startOutage } from './tasks.ts';

export const family: Family = {
  name: 'outages',
  operations: operationsIn(operations),
  migrations,
  tasks: [startOutage, endOutage, expireOutage, deleteCompleted],
  eventTypes: outageEvents,
  hooks: [followChanges, followRemoval],
  faults: [outageFaults],
};
