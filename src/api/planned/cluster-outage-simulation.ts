import { contract, type PlannedTag } from './planned.ts';

export const clusterOutageSimulation: PlannedTag = {
  tag: 'Cluster Outage Simulation',
  paths: {
    '/groups/{groupId}/clusters/{clusterName}/outageSimulation': {
      GET: contract('getOutageSimulation'),
      POST: contract('startOutageSimulation'),
      DELETE: contract('endOutageSimulation'),
    },
  },
};
