import { ID_PATTERN } from '@portolan/foundation/ids';
import type { Part } from '../part.ts';
import { restoreFaults } from './faults.ts';
import { keepWorkAway, protectTarget } from './hooks.ts';
import * as operations from './operations.ts';
import { restoreSnapshot } from './tasks.ts';

export const restores: Part = {
  operations: [operations],
  parameters: { restoreJobId: { description: 'Id of the restore job.', pattern: ID_PATTERN } },
  tasks: [restoreSnapshot],
  hooks: [protectTarget, keepWorkAway],
  eventTypes: {
    CPS_RESTORE_REQUESTED_AUDIT: 'Restore was requested',
    CPS_RESTORE_SUCCESSFUL: 'Restore completed',
    CPS_RESTORE_FAILED: 'Restore failed',
  },
  faults: [restoreFaults],
};
