import { type PlannedTag, reference } from './planned.ts';

export const monitoringAndLogs: PlannedTag = {
  tag: 'Monitoring and Logs',
  paths: {
    '/groups/{groupId}/clusters/{hostName}/logs/{logName}.gz': {
      GET: reference('getHostLogs', '2023-02-01'),
    },
    '/groups/{groupId}/hosts/{processId}/fts/metrics': {
      GET: reference('listMetricTypes'),
    },
    '/groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/measurements': {
      GET: reference('listIndexMetrics'),
    },
    '/groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/{indexName}/measurements':
      {
        GET: reference('getIndexMetrics'),
      },
    '/groups/{groupId}/hosts/{processId}/fts/metrics/measurements': {
      GET: reference('getMeasurements'),
    },
    '/groups/{groupId}/processes': {
      GET: reference('listPlatformProcesses'),
    },
    '/groups/{groupId}/processes/{processId}': {
      GET: reference('getPlatformProcess'),
    },
    '/groups/{groupId}/processes/{processId}/databases': {
      GET: reference('listDatabases'),
    },
    '/groups/{groupId}/processes/{processId}/databases/{databaseName}': {
      GET: reference('getDatabase'),
    },
    '/groups/{groupId}/processes/{processId}/databases/{databaseName}/measurements': {
      GET: reference('getDatabaseMeasurements'),
    },
    '/groups/{groupId}/processes/{processId}/disks': {
      GET: reference('listDiskPartitions'),
    },
    '/groups/{groupId}/processes/{processId}/disks/{partitionName}': {
      GET: reference('listDiskMeasurements'),
    },
    '/groups/{groupId}/processes/{processId}/disks/{partitionName}/measurements': {
      GET: reference('getDiskMeasurements'),
    },
    '/groups/{groupId}/processes/{processId}/measurements': {
      GET: reference('getHostMeasurements'),
    },
  },
};
