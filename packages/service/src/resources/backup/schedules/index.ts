import type { Part } from '../part.ts';
import { scheduleFaults } from './faults.ts';
import { endSchedule, followBackups } from './hooks.ts';
import * as operations from './operations.ts';
import { followSchedule } from './tasks.ts';

export const schedules: Part = {
  operations: [operations],
  tasks: [followSchedule],
  hooks: [followBackups, endSchedule],
  eventTypes: { CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT: 'Backup schedule was changed' },
  faults: [scheduleFaults],
};
