import { contract, plannedTag, reference } from './planned.ts';

export const clusters = plannedTag('Clusters', {
  listClustersForAllProjects: contract('GET /clusters'),
  listClusters: contract('GET /groups/{groupId}/clusters', '2023-01-01', '2023-02-01', '2024-08-05'),
  createCluster: contract(
    'POST /groups/{groupId}/clusters',
    '2023-01-01',
    '2023-02-01',
    '2024-08-05',
    '2024-10-23',
  ),
  listCloudProviderRegions: contract('GET /groups/{groupId}/clusters/provider/regions'),
  upgradeSharedCluster: reference('POST /groups/{groupId}/clusters/tenantUpgrade'),
  upgradeSharedClusterToServerless: reference('POST /groups/{groupId}/clusters/tenantUpgradeToServerless'),
  getCluster: contract(
    'GET /groups/{groupId}/clusters/{clusterName}',
    '2023-01-01',
    '2023-02-01',
    '2024-08-05',
  ),
  updateCluster: contract(
    'PATCH /groups/{groupId}/clusters/{clusterName}',
    '2023-01-01',
    '2023-02-01',
    '2024-08-05',
    '2024-10-23',
  ),
  deleteCluster: contract('DELETE /groups/{groupId}/clusters/{clusterName}', '2023-01-01', '2023-02-01'),
  autoScalingConfiguration: reference(
    'GET /groups/{groupId}/clusters/{clusterName}/autoScalingConfiguration',
    '2024-08-05',
  ),
  getClusterAdvancedConfiguration: reference(
    'GET /groups/{groupId}/clusters/{clusterName}/processArgs',
    '2023-01-01',
    '2024-08-05',
  ),
  updateClusterAdvancedConfiguration: reference(
    'PATCH /groups/{groupId}/clusters/{clusterName}/processArgs',
    '2023-01-01',
    '2024-08-05',
  ),
  testFailover: reference('POST /groups/{groupId}/clusters/{clusterName}/restartPrimaries', '2023-02-01'),
  getClusterStatus: reference('GET /groups/{groupId}/clusters/{clusterName}/status'),
  grantDbEmployeeAccess: reference(
    'POST /groups/{groupId}/clusters/{clusterName}:grantDbEmployeeAccess',
    '2024-08-05',
  ),
  pinFeatureCompatibilityVersion: reference(
    'POST /groups/{groupId}/clusters/{clusterName}:pinFeatureCompatibilityVersion',
    '2024-05-30',
  ),
  revokeDbEmployeeAccess: reference(
    'POST /groups/{groupId}/clusters/{clusterName}:revokeDbEmployeeAccess',
    '2024-08-05',
  ),
  unpinFeatureCompatibilityVersion: reference(
    'POST /groups/{groupId}/clusters/{clusterName}:unpinFeatureCompatibilityVersion',
    '2024-05-30',
  ),
  loadSampleDataset: reference('POST /groups/{groupId}/sampleDatasetLoad/{name}'),
  getSampleDatasetLoadStatus: reference('GET /groups/{groupId}/sampleDatasetLoad/{sampleDatasetId}'),
});
