import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { limitRegions } from './changes.ts';
import * as containers from './containers.ts';
import { peeringFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as peers from './peers.ts';
import * as privateIpMode from './private-ip-mode.ts';

export const family: Family = {
  name: 'peering',
  operations: operationsIn(containers, peers, privateIpMode),
  parameters: {
    containerId: { description: 'Id of the virtual network.', pattern: ID_PATTERN },
    peerId: { description: 'Id of the peering connection.', pattern: ID_PATTERN },
  },
  migrations,
  hooks: [limitRegions],
  eventTypes: {
    PEER_CREATED: 'Peering connection at AWS was recorded',
    PEER_DELETED: 'Peering connection at AWS was deleted',
    PEER_UPDATED: 'Peering connection at AWS was changed',
    AZURE_PEER_CREATED: 'Peering connection at AZURE was recorded',
    AZURE_PEER_DELETED: 'Peering connection at AZURE was deleted',
    AZURE_PEER_UPDATED: 'Peering connection at AZURE was changed',
    GCP_PEER_CREATED: 'Peering connection at GCP was recorded',
    GCP_PEER_DELETED: 'Peering connection at GCP was deleted',
    GCP_PEER_UPDATED: 'Peering connection at GCP was changed',
  },
  faults: [peeringFaults],
};
