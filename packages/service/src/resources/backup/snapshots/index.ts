import { ID_PATTERN } from '@portolan/foundation/ids';
import type { Part } from '../part.ts';
import { deletedSnapshotFaults } from './deleted/faults.ts';
import { snapshotFaults } from './faults.ts';
import * as operations from './operations.ts';
import { expireSnapshot, forgetSnapshots, takeSnapshot } from './tasks.ts';

export const snapshots: Part = {
  operations: [operations],
  parameters: { snapshotId: { description: 'Id of the snapshot.', pattern: ID_PATTERN } },
  tasks: [takeSnapshot, expireSnapshot, forgetSnapshots],
  eventTypes: {
    CPS_ON_DEMAND_SNAPSHOT_REQUESTED: 'On-demand snapshot was requested',
    CPS_SNAPSHOT_STARTED: 'Snapshot started',
    CPS_SNAPSHOT_IN_PROGRESS_AUDIT: 'Snapshot is in progress',
    CPS_SNAPSHOT_COMPLETED_AUDIT: 'Snapshot was completed',
    CPS_SNAPSHOT_SUCCESSFUL: 'Snapshot was taken',
    CPS_SNAPSHOT_FAILED: 'Snapshot failed',
    CPS_CONCURRENT_SNAPSHOT_FAILED_WILL_RETRY:
      'Snapshot failed because of a concurrent snapshot and will be retried',
    CPS_SNAPSHOT_FALLBACK_SUCCESSFUL: 'Fallback snapshot was taken',
    CPS_SNAPSHOT_FALLBACK_FAILED: 'Fallback snapshot failed',
    CPS_SNAPSHOT_DELETED_AUDIT: 'Snapshot was deleted',
    CPS_SNAPSHOT_RETENTION_MODIFIED_AUDIT: 'Retention of a snapshot was changed',
  },
  faults: [snapshotFaults, deletedSnapshotFaults],
};
