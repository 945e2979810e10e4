import { contract, plannedTag } from './planned.ts';

export const cloudBackups = plannedTag('Cloud Backups', {
  listExportBuckets: contract('GET /groups/{groupId}/backup/exportBuckets', '2023-01-01', '2024-05-30'),
  createExportBucket: contract('POST /groups/{groupId}/backup/exportBuckets', '2023-01-01', '2024-05-30'),
  getExportBucket: contract(
    'GET /groups/{groupId}/backup/exportBuckets/{exportBucketId}',
    '2023-01-01',
    '2024-05-30',
  ),
  deleteExportBucket: contract('DELETE /groups/{groupId}/backup/exportBuckets/{exportBucketId}'),
  getDataProtectionSettings: contract(
    'GET /groups/{groupId}/backupCompliancePolicy',
    '2023-01-01',
    '2023-10-01',
  ),
  updateDataProtectionSettings: contract(
    'PUT /groups/{groupId}/backupCompliancePolicy',
    '2023-01-01',
    '2023-10-01',
  ),
  disableDataProtectionSettings: contract('DELETE /groups/{groupId}/backupCompliancePolicy', '2024-11-13'),
  listBackupExportJobs: contract('GET /groups/{groupId}/clusters/{clusterName}/backup/exports'),
  createBackupExportJob: contract('POST /groups/{groupId}/clusters/{clusterName}/backup/exports'),
  getBackupExportJob: contract('GET /groups/{groupId}/clusters/{clusterName}/backup/exports/{exportId}'),
  listBackupRestoreJobs: contract('GET /groups/{groupId}/clusters/{clusterName}/backup/restoreJobs'),
  createBackupRestoreJob: contract('POST /groups/{groupId}/clusters/{clusterName}/backup/restoreJobs'),
  getBackupRestoreJob: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/backup/restoreJobs/{restoreJobId}',
  ),
  cancelBackupRestoreJob: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/backup/restoreJobs/{restoreJobId}',
  ),
  getBackupSchedule: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/backup/schedule',
    '2023-01-01',
    '2024-08-05',
  ),
  updateBackupSchedule: contract(
    'PATCH /groups/{groupId}/clusters/{clusterName}/backup/schedule',
    '2023-01-01',
    '2024-08-05',
  ),
  deleteAllBackupSchedules: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/backup/schedule',
    '2023-01-01',
    '2024-08-05',
  ),
  listReplicaSetBackups: contract('GET /groups/{groupId}/clusters/{clusterName}/backup/snapshots'),
  takeSnapshot: contract('POST /groups/{groupId}/clusters/{clusterName}/backup/snapshots'),
  getShardedClusterBackup: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedCluster/{snapshotId}',
  ),
  deleteShardedClusterBackup: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedCluster/{snapshotId}',
  ),
  listShardedClusterBackups: contract(
    'GET /groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedClusters',
  ),
  getReplicaSetBackup: contract('GET /groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}'),
  updateSnapshotRetention: contract(
    'PATCH /groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}',
  ),
  deleteReplicaSetBackup: contract(
    'DELETE /groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}',
  ),
  listServerlessBackupRestoreJobs: contract(
    'GET /groups/{groupId}/serverless/{clusterName}/backup/restoreJobs',
  ),
  createServerlessBackupRestoreJob: contract(
    'POST /groups/{groupId}/serverless/{clusterName}/backup/restoreJobs',
  ),
  getServerlessBackupRestoreJob: contract(
    'GET /groups/{groupId}/serverless/{clusterName}/backup/restoreJobs/{restoreJobId}',
  ),
  listServerlessBackups: contract('GET /groups/{groupId}/serverless/{clusterName}/backup/snapshots'),
  getServerlessBackup: contract(
    'GET /groups/{groupId}/serverless/{clusterName}/backup/snapshots/{snapshotId}',
  ),
});
