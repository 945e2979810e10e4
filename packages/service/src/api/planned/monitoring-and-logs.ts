import { plannedTag, reference } from './planned.ts';

export const monitoringAndLogs = plannedTag('Monitoring and Logs', {
  getHostLogs: reference('GET /groups/{groupId}/clusters/{hostName}/logs/{logName}.gz', '2023-02-01'),
  listMetricTypes: reference('GET /groups/{groupId}/hosts/{processId}/fts/metrics'),
  listIndexMetrics: reference(
    'GET /groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/measurements',
  ),
  getIndexMetrics: reference(
    'GET /groups/{groupId}/hosts/{processId}/fts/metrics/indexes/{databaseName}/{collectionName}/{indexName}/measurements',
  ),
  getMeasurements: reference('GET /groups/{groupId}/hosts/{processId}/fts/metrics/measurements'),
  listPlatformProcesses: reference('GET /groups/{groupId}/processes'),
  getPlatformProcess: reference('GET /groups/{groupId}/processes/{processId}'),
  listDatabases: reference('GET /groups/{groupId}/processes/{processId}/databases'),
  getDatabase: reference('GET /groups/{groupId}/processes/{processId}/databases/{databaseName}'),
  getDatabaseMeasurements: reference(
    'GET /groups/{groupId}/processes/{processId}/databases/{databaseName}/measurements',
  ),
  listDiskPartitions: reference('GET /groups/{groupId}/processes/{processId}/disks'),
  listDiskMeasurements: reference('GET /groups/{groupId}/processes/{processId}/disks/{partitionName}'),
  getDiskMeasurements: reference(
    'GET /groups/{groupId}/processes/{processId}/disks/{partitionName}/measurements',
  ),
  getHostMeasurements: reference('GET /groups/{groupId}/processes/{processId}/measurements'),
});
