import { faults } from '@portolan/foundation/faults';

export const peeringFaults = faults({
  CONTAINER_ALREADY_EXISTS: [409, 'The project {0} already has a network at this provider and region.'],
  CONTAINERS_IN_USE: [409, 'The network is in use and cannot be changed: {0}.'],
  OVERLAPPING_CIDR_BLOCK: [409, 'The block {0} overlaps the block of another peering connection.'],
  OVERLAPPING_PLATFORM_CIDR_BLOCK: [
    409,
    'The block {0} overlaps the block of another network of the project.',
  ],
  PEER_ALREADY_EXISTS: [409, 'The project already has a peering connection with this network.'],
  PEERS_LIMIT_EXCEEDED: [400, 'A project can have at most {0} peering connections.'],
  PEER_NOT_FOUND: [404, 'The project {1} has no peering connection with the id {0}.'],
});
