import { contract, plannedTag, reference } from './planned.ts';

export const networkPeering = plannedTag('Network Peering', {
  listPeeringContainers: reference('GET /groups/{groupId}/containers'),
  getPeeringContainer: reference('GET /groups/{groupId}/containers/{containerId}'),
  getPrivateIpMode: reference('GET /groups/{groupId}/privateIpMode'),
  updatePrivateIpMode: contract('PATCH /groups/{groupId}/privateIpMode'),
});
