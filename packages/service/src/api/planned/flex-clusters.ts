import { plannedTag, reference } from './planned.ts';

export const flexClusters = plannedTag('Flex Clusters', {
  listFlexClusters: reference('GET /groups/{groupId}/flexClusters', '2024-11-13'),
  createFlexCluster: reference('POST /groups/{groupId}/flexClusters', '2024-11-13'),
  getFlexCluster: reference('GET /groups/{groupId}/flexClusters/{name}', '2024-11-13'),
  updateFlexCluster: reference('PATCH /groups/{groupId}/flexClusters/{name}', '2024-11-13'),
  deleteFlexCluster: reference('DELETE /groups/{groupId}/flexClusters/{name}', '2024-11-13'),
  upgradeFlexCluster: reference('POST /groups/{groupId}/flexClusters:tenantUpgrade', '2024-11-13'),
});
