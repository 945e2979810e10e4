import { contract, type PlannedTag, reference } from './planned.ts';

export const networkPeering: PlannedTag = {
  tag: 'Network Peering',
  paths: {
    '/groups/{groupId}/containers': {
      GET: reference('listPeeringContainers'),
    },
    '/groups/{groupId}/privateIpMode': {
      GET: reference('getPrivateIpMode'),
      PATCH: contract('updatePrivateIpMode'),
    },
  },
};
