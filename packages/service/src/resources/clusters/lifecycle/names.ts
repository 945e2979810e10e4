import { subscribe } from '../../../store/index.ts';
import { customDnsChanged } from '../../networks/index.ts';
import { clustersIn, updateCluster } from '../rows.ts';

/** Enables or disables names for custom DNS; nodes are not affected. */
export const followCustomDns = subscribe(customDnsChanged, async (tx, { groupId, enabled }) => {
  for (const cluster of await clustersIn(tx, groupId)) {
    const { ownNames: _, ...placement } = cluster.placement;
    await updateCluster(tx, {
      ...cluster,
      placement: enabled ? { ...placement, ownNames: true } : placement,
    });
  }
});
