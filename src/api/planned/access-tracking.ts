import { contract, type PlannedTag } from './planned.ts';

export const accessTracking: PlannedTag = {
  tag: 'Access Tracking',
  paths: {
    '/groups/{groupId}/dbAccessHistory/clusters/{clusterName}': {
      GET: contract('listAccessLogsByClusterName'),
    },
    '/groups/{groupId}/dbAccessHistory/processes/{hostname}': {
      GET: contract('listAccessLogsByHostname'),
    },
  },
};
