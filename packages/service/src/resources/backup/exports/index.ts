import { ID_PATTERN } from '@portolan/foundation/ids';
import type { Part } from '../part.ts';
import { exportFaults } from './faults.ts';
import { cancelForgotten, exportBySchedule } from './hooks.ts';
import * as operations from './operations.ts';
import { exportSnapshot } from './tasks.ts';

export const exports: Part = {
  operations: [operations],
  parameters: {
    exportId: {
      description: 'Id of the export job, or of its part for one shard.',
      pattern: ID_PATTERN,
    },
  },
  tasks: [exportSnapshot],
  hooks: [cancelForgotten, exportBySchedule],
  eventTypes: {
    CPS_AUTO_EXPORT_FAILED: 'Scheduled export failed',
    CPS_EXPORT_FAILED: 'Export failed',
    CPS_EXPORT_SUCCESSFUL: 'Snapshot was exported',
  },
  faults: [exportFaults],
};
