import type { ContainerRow } from '../networks/index.ts';
import type { PeerRow } from './rows.ts';

export const presentContainer = (
  { id, provider, region, regions, cidr }: ContainerRow,
  isUsed: (container: ContainerRow) => boolean,
) => ({
  id,
  platformCidrBlock: cidr,
  providerName: provider,
  provisioned: isUsed({ id, groupId: '', provider, region, cidr }),
  ...(region !== '' && { regionName: region }),
  ...(regions && { regions: [...regions] }),
});

const UNCONNECTED = 'This service creates no networks, so no peering connection is established.';
const PENDING = 'PENDING_ACCEPTANCE' as const;

export function presentPeer({ id, provider, containerId, settings }: PeerRow) {
  const common = { id, containerId, providerName: provider, ...settings };
  switch (provider) {
    case 'AWS':
      return { ...common, connectionId: null, errorStateName: null, statusName: PENDING };
    case 'AZURE':
      return { ...common, errorState: UNCONNECTED, status: PENDING };
    case 'GCP':
      return { ...common, errorMessage: UNCONNECTED, status: PENDING };
  }
}
