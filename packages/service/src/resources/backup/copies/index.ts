import type { Part } from '../part.ts';
import { copySnapshot, forgetCopies } from './tasks.ts';

export const copies: Part = {
  tasks: [copySnapshot, forgetCopies],
  eventTypes: {
    CPS_COPY_SNAPSHOT_STARTED: 'Copy of a snapshot started',
    CPS_COPY_SNAPSHOT_SUCCESSFUL: 'Snapshot was copied',
    CPS_COPY_SNAPSHOT_FAILED: 'Copy of a snapshot failed',
    CPS_COPY_SNAPSHOT_FAILED_WILL_RETRY: 'Copy of a snapshot failed and will be retried',
  },
};
