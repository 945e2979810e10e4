import { ID_PATTERN } from '../../runtime/ids.ts';
import { type Family, operationsIn } from '../family.ts';
import * as buckets from './buckets/operations.ts';
import { bucketFaults } from './buckets/rules.ts';
import { complianceFaults } from './compliance/faults.ts';
import { holdToPolicy, keepProject } from './compliance/hooks.ts';
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

const event = (description: string, alertable: boolean) => ({ description, alertable });

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
    BUCKET_CREATED_AUDIT: event('Export bucket was named', false),
    BUCKET_DELETED_AUDIT: event('Export bucket was forgotten', false),
    CPS_AUTO_EXPORT_FAILED: event('Export by schedule failed', true),
    CPS_EXPORT_FAILED: event('Export failed', true),
    CPS_EXPORT_SUCCESSFUL: event('Snapshot was exported', true),
    CPS_ON_DEMAND_SNAPSHOT_REQUESTED: event('On-demand snapshot was requested', false),
    CPS_SNAPSHOT_STARTED: event('Snapshot was started', true),
    CPS_SNAPSHOT_SUCCESSFUL: event('Snapshot was taken', true),
    CPS_SNAPSHOT_FAILED: event('Snapshot failed', true),
    CPS_COPY_SNAPSHOT_STARTED: event('Copy of a snapshot was started', true),
    CPS_COPY_SNAPSHOT_SUCCESSFUL: event('Snapshot was copied', true),
    CPS_COPY_SNAPSHOT_FAILED: event('Copy of a snapshot failed', true),
    CPS_COPY_SNAPSHOT_FAILED_WILL_RETRY: event('Copy of a snapshot failed and is tried again', true),
    CPS_SNAPSHOT_DELETED_AUDIT: event('Snapshot was deleted', false),
    CPS_SNAPSHOT_RETENTION_MODIFIED_AUDIT: event('Retention of a snapshot was changed', false),
    CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT: event('Backup schedule was changed', false),
    CPS_RESTORE_REQUESTED_AUDIT: event('Restore was requested', false),
    CPS_RESTORE_SUCCESSFUL: event('Restore has ended', true),
    CPS_RESTORE_FAILED: event('Restore failed', true),
    CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED: event('Download of a snapshot failed', true),
    CPS_DATA_PROTECTION_ENABLE_REQUESTED: event('Backup compliance policy was requested', true),
    CPS_DATA_PROTECTION_ENABLED: event('Backup compliance policy holds', true),
    CPS_DATA_PROTECTION_UPDATE_REQUESTED: event('Change of the backup compliance policy was requested', true),
    CPS_DATA_PROTECTION_UPDATED: event('Backup compliance policy was changed', true),
    CPS_DATA_PROTECTION_DISABLE_REQUESTED: event('End of the backup compliance policy was requested', true),
    CPS_DATA_PROTECTION_DISABLED: event('Backup compliance policy has ended', true),
    CPS_DATA_PROTECTION_APPROVED_FOR_DISABLEMENT: event('Backup compliance policy may be ended', true),
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
