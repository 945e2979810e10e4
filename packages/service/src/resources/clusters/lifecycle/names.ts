import { subscribe } from '../../../store/index.ts';
import { customDnsChanged } from '../../networks/index.ts';
import { clustersIn, updateCluster } from '../rows.ts';

/** Adds or removes the names for custom DNS. Nodes are not affected. */
export const followCustomDns = subscribe(customDnsChanged, async (tx, { groupId, enabled }) => {
  for (const cluster of await clustersIn(tx, groupId)) {
    const { ownNames: _, ...placement } = cluster.placement;
    await updateCluster(tx, {
      ...cluster,
      placement: enabled ? { ...placement, ownNames: true } : placement,
    });
  }
});
