import { contract, type PlannedTag } from './planned.ts';

export const cloudBackups: PlannedTag = {
  tag: 'Cloud Backups',
  paths: {
    '/groups/{groupId}/backup/exportBuckets': {
      GET: contract('listExportBuckets', '2023-01-01', '2024-05-30'),
      POST: contract('createExportBucket', '2023-01-01', '2024-05-30'),
    },
    '/groups/{groupId}/backup/exportBuckets/{exportBucketId}': {
      GET: contract('getExportBucket', '2023-01-01', '2024-05-30'),
      DELETE: contract('deleteExportBucket'),
    },
    '/groups/{groupId}/backupCompliancePolicy': {
      GET: contract('getDataProtectionSettings', '2023-01-01', '2023-10-01'),
      PUT: contract('updateDataProtectionSettings', '2023-01-01', '2023-10-01'),
      DELETE: contract('disableDataProtectionSettings', '2024-11-13'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/exports': {
      GET: contract('listBackupExportJobs'),
      POST: contract('createBackupExportJob'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/exports/{exportId}': {
      GET: contract('getBackupExportJob'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/restoreJobs': {
      GET: contract('listBackupRestoreJobs'),
      POST: contract('createBackupRestoreJob'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/restoreJobs/{restoreJobId}': {
      GET: contract('getBackupRestoreJob'),
      DELETE: contract('cancelBackupRestoreJob'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/schedule': {
      GET: contract('getBackupSchedule', '2023-01-01', '2024-08-05'),
      PATCH: contract('updateBackupSchedule', '2023-01-01', '2024-08-05'),
      DELETE: contract('deleteAllBackupSchedules', '2023-01-01', '2024-08-05'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/snapshots': {
      GET: contract('listReplicaSetBackups'),
      POST: contract('takeSnapshot'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedCluster/{snapshotId}': {
      GET: contract('getShardedClusterBackup'),
      DELETE: contract('deleteShardedClusterBackup'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedClusters': {
      GET: contract('listShardedClusterBackups'),
    },
    '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/{snapshotId}': {
      GET: contract('getReplicaSetBackup'),
      PATCH: contract('updateSnapshotRetention'),
      DELETE: contract('deleteReplicaSetBackup'),
    },
    '/groups/{groupId}/serverless/{clusterName}/backup/restoreJobs': {
      GET: contract('listServerlessBackupRestoreJobs'),
      POST: contract('createServerlessBackupRestoreJob'),
    },
    '/groups/{groupId}/serverless/{clusterName}/backup/restoreJobs/{restoreJobId}': {
      GET: contract('getServerlessBackupRestoreJob'),
    },
    '/groups/{groupId}/serverless/{clusterName}/backup/snapshots': {
      GET: contract('listServerlessBackups'),
    },
    '/groups/{groupId}/serverless/{clusterName}/backup/snapshots/{snapshotId}': {
      GET: contract('getServerlessBackup'),
    },
  },
};
