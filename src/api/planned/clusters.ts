import { contract, type PlannedTag, reference } from './planned.ts';

export const clusters: PlannedTag = {
  tag: 'Clusters',
  paths: {
    '/clusters': {
      GET: contract('listClustersForAllProjects'),
    },
    '/groups/{groupId}/clusters': {
      GET: contract('listClusters', '2023-01-01', '2023-02-01', '2024-08-05'),
      POST: contract('createCluster', '2023-01-01', '2023-02-01', '2024-08-05', '2024-10-23'),
    },
    '/groups/{groupId}/clusters/provider/regions': {
      GET: contract('listCloudProviderRegions'),
    },
    '/groups/{groupId}/clusters/tenantUpgrade': {
      POST: reference('upgradeSharedCluster'),
    },
    '/groups/{groupId}/clusters/tenantUpgradeToServerless': {
      POST: reference('upgradeSharedClusterToServerless'),
    },
    '/groups/{groupId}/clusters/{clusterName}': {
      GET: contract('getCluster', '2023-01-01', '2023-02-01', '2024-08-05'),
      PATCH: contract('updateCluster', '2023-01-01', '2023-02-01', '2024-08-05', '2024-10-23'),
      DELETE: contract('deleteCluster', '2023-01-01', '2023-02-01'),
    },
    '/groups/{groupId}/clusters/{clusterName}/autoScalingConfiguration': {
      GET: reference('autoScalingConfiguration', '2024-08-05'),
    },
    '/groups/{groupId}/clusters/{clusterName}/processArgs': {
      GET: reference('getClusterAdvancedConfiguration', '2023-01-01', '2024-08-05'),
      PATCH: reference('updateClusterAdvancedConfiguration', '2023-01-01', '2024-08-05'),
    },
    '/groups/{groupId}/clusters/{clusterName}/restartPrimaries': {
      POST: reference('testFailover', '2023-02-01'),
    },
    '/groups/{groupId}/clusters/{clusterName}/status': {
      GET: reference('getClusterStatus'),
    },
    '/groups/{groupId}/clusters/{clusterName}:grantDbEmployeeAccess': {
      POST: reference('grantDbEmployeeAccess', '2024-08-05'),
    },
    '/groups/{groupId}/clusters/{clusterName}:pinFeatureCompatibilityVersion': {
      POST: reference('pinFeatureCompatibilityVersion', '2024-05-30'),
    },
    '/groups/{groupId}/clusters/{clusterName}:revokeDbEmployeeAccess': {
      POST: reference('revokeDbEmployeeAccess', '2024-08-05'),
    },
    '/groups/{groupId}/clusters/{clusterName}:unpinFeatureCompatibilityVersion': {
      POST: reference('unpinFeatureCompatibilityVersion', '2024-05-30'),
    },
    '/groups/{groupId}/sampleDatasetLoad/{name}': {
      POST: reference('loadSampleDataset'),
    },
    '/groups/{groupId}/sampleDatasetLoad/{sampleDatasetId}': {
      GET: reference('getSampleDatasetLoadStatus'),
    },
  },
};
