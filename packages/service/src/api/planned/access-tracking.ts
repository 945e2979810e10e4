import { contract, plannedTag } from './planned.ts';

export const accessTracking = plannedTag('Access Tracking', {
  listAccessLogsByClusterName: contract('GET /groups/{groupId}/dbAccessHistory/clusters/{clusterName}'),
  listAccessLogsByHostname: contract('GET /groups/{groupId}/dbAccessHistory/processes/{hostname}'),
});
