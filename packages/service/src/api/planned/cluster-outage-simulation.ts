import { contract, plannedTag } from './planned.ts';

export const clusterOutageSimulation = plannedTag('Cluster Outage Simulation', {
  getOutageSimulation: contract('GET /groups/{groupId}/clusters/{clusterName}/outageSimulation'),
  startOutageSimulation: contract('POST /groups/{groupId}/clusters/{clusterName}/outageSimulation'),
  endOutageSimulation: contract('DELETE /groups/{groupId}/clusters/{clusterName}/outageSimulation'),
});
