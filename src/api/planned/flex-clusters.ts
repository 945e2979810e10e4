import { type PlannedTag, reference } from './planned.ts';

export const flexClusters: PlannedTag = {
  tag: 'Flex Clusters',
  paths: {
    '/groups/{groupId}/flexClusters': {
      GET: reference('listFlexClusters', '2024-11-13'),
      POST: reference('createFlexCluster', '2024-11-13'),
    },
    '/groups/{groupId}/flexClusters/{name}': {
      GET: reference('getFlexCluster', '2024-11-13'),
      PATCH: reference('updateFlexCluster', '2024-11-13'),
      DELETE: reference('deleteFlexCluster', '2024-11-13'),
    },
    '/groups/{groupId}/flexClusters:tenantUpgrade': {
      POST: reference('upgradeFlexCluster', '2024-11-13'),
    },
  },
};
