import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import * as buckets from './buckets/operations.ts';
import { bucketFaults } from './buckets/rules.ts';
import { complianceFaults } from './compliance/faults.ts';
import { holdToPolicy, keepKeys, keepProject } from './compliance/hooks.ts';
import * as compliance from './compliance/operations.ts';
import { followPolicy } from './compliance/tasks.ts';
import {
  followContinuous,
  followEnd,
  followLast,
  followProjectEnd,
  followTaken,
} from './continuous/hooks.ts';
import { archiveCluster, followOplog, forgetOplog } from './continuous/tasks.ts';
import { copySnapshot, forgetCopies } from './copies/tasks.ts';
import { archiveMount } from './downloads/mount.ts';
import { downloadFaults } from './downloads/rules.ts';
import { packDownload, removeArchives, unlinkDownload } from './downloads/tasks.ts';
import { cancelForgotten, exportBySchedule } from './exports/hooks.ts';
import * as exports from './exports/operations.ts';
import { exportFaults } from './exports/rules.ts';
import { exportSnapshot } from './exports/tasks.ts';
import { followForgotten, followProject, followRemoval } from './hooks.ts';
import { migrations } from './migrations.ts';
import { copyOplog, forgetOplogCopy } from './oplog-copies/tasks.ts';
import * as restores from './restores/operations.ts';
import { restoreFaults } from './restores/rules.ts';
import { restoreSnapshot } from './restores/tasks.ts';
import { endSchedule, followBackups } from './schedules/hooks.ts';
import * as schedules from './schedules/operations.ts';
import { scheduleFaults } from './schedules/rules.ts';
import { followSchedule } from './schedules/tasks.ts';
import * as snapshots from './snapshots/operations.ts';
import { snapshotFaults } from './snapshots/rules.ts';
import { expireSnapshot, forgetSnapshots, takeSnapshot } from './snapshots/tasks.ts';
import * as flex from './tenants/flex.ts';
import { tenantFaults } from './tenants/rules.ts';
import * as serverless from './tenants/serverless.ts';
import { beginRhythm, followRhythm } from './tenants/tasks.ts';

export { dataRestored } from './restores/hooks.ts';
export { type BackupAges, backupAges } from './schedules/ages.ts';

export const family: Family = {
  name: 'backup',
  operations: operationsIn(buckets, exports, snapshots, restores, schedules, compliance, flex, serverless),
  parameters: {
    snapshotId: { description: 'The snapshot.', pattern: ID_PATTERN },
    exportId: { description: 'The export job, or that of one of its shards.', pattern: ID_PATTERN },
    exportBucketId: { description: 'The export bucket.', pattern: ID_PATTERN },
    restoreJobId: { description: 'The restore job.', pattern: ID_PATTERN },
  },
  migrations,
  tasks: [
    takeSnapshot,
    expireSnapshot,
    forgetSnapshots,
    copySnapshot,
    forgetCopies,
    restoreSnapshot,
    followSchedule,
    followRhythm,
    packDownload,
    unlinkDownload,
    removeArchives,
    exportSnapshot,
    followPolicy,
    followOplog,
    archiveCluster,
    forgetOplog,
    copyOplog,
    forgetOplogCopy,
  ],
  mounts: [archiveMount],
  hooks: [
    keepProject,
    keepKeys,
    holdToPolicy,
    followForgotten,
    cancelForgotten,
    exportBySchedule,
    followRemoval,
    followProject,
    followBackups,
    endSchedule,
    beginRhythm,
    followContinuous,
    followTaken,
    followEnd,
    followLast,
    followProjectEnd,
  ],
  eventTypes: {
    BUCKET_CREATED_AUDIT: 'Export bucket was named',
    BUCKET_DELETED_AUDIT: 'Export bucket was forgotten',
    CPS_AUTO_EXPORT_FAILED: 'Export by schedule failed',
    CPS_EXPORT_FAILED: 'Export failed',
    CPS_EXPORT_SUCCESSFUL: 'Snapshot was exported',
    CPS_ON_DEMAND_SNAPSHOT_REQUESTED: 'On-demand snapshot was requested',
    CPS_SNAPSHOT_STARTED: 'Snapshot was started',
    CPS_SNAPSHOT_SUCCESSFUL: 'Snapshot was taken',
    CPS_SNAPSHOT_FAILED: 'Snapshot failed',
    CPS_CONCURRENT_SNAPSHOT_FAILED_WILL_RETRY: 'Snapshot beside another one failed and is tried again',
    CPS_SNAPSHOT_FALLBACK_SUCCESSFUL: 'Fallback snapshot was taken',
    CPS_SNAPSHOT_FALLBACK_FAILED: 'Fallback snapshot failed',
    CPS_OPLOG_CAUGHT_UP: 'Archive of the oplog caught up',
    CPS_COPY_SNAPSHOT_STARTED: 'Copy of a snapshot was started',
    CPS_COPY_SNAPSHOT_SUCCESSFUL: 'Snapshot was copied',
    CPS_COPY_SNAPSHOT_FAILED: 'Copy of a snapshot failed',
    CPS_COPY_SNAPSHOT_FAILED_WILL_RETRY: 'Copy of a snapshot failed and is tried again',
    CPS_SNAPSHOT_DELETED_AUDIT: 'Snapshot was deleted',
    CPS_SNAPSHOT_RETENTION_MODIFIED_AUDIT: 'Retention of a snapshot was changed',
    CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT: 'Backup schedule was changed',
    CPS_RESTORE_REQUESTED_AUDIT: 'Restore was requested',
    CPS_RESTORE_SUCCESSFUL: 'Restore has ended',
    CPS_RESTORE_FAILED: 'Restore failed',
    CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED: 'Download of a snapshot failed',
    CPS_DATA_PROTECTION_ENABLE_REQUESTED: 'Backup compliance policy was requested',
    CPS_DATA_PROTECTION_ENABLED: 'Backup compliance policy holds',
    CPS_DATA_PROTECTION_UPDATE_REQUESTED: 'Change of the backup compliance policy was requested',
    CPS_DATA_PROTECTION_UPDATED: 'Backup compliance policy was changed',
    CPS_DATA_PROTECTION_DISABLE_REQUESTED: 'End of the backup compliance policy was requested',
    CPS_DATA_PROTECTION_DISABLED: 'Backup compliance policy has ended',
    CPS_DATA_PROTECTION_APPROVED_FOR_DISABLEMENT: 'Backup compliance policy may be ended',
  },
  faults: [
    bucketFaults,
    exportFaults,
    snapshotFaults,
    restoreFaults,
    downloadFaults,
    scheduleFaults,
    complianceFaults,
    tenantFaults,
  ],
};
