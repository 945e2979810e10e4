import type { ReadTx } from '../../store/index.ts';
import type { ClusterModel } from './model/cluster.ts';
import { existingOf } from './model/kinds.ts';

/** The cluster that a path names; throws when there is none. */
export function existing(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  return existingOf(tx, at.groupId, at.clusterName, 'clusters');
}
