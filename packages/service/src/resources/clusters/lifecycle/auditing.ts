import type { AuditingSpec } from '@portolan/engine/interface/engine';
import { type ReadTx, subscribe } from '../../../store/index.ts';
import { auditingChanged, auditingSpec } from '../../auditing/index.ts';
import { can } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clustersIn } from '../rows.ts';
import { APPLY } from './changes.ts';
import { enqueueWork } from './work.ts';

/** Returns the audit configuration of a cluster; undefined for shared-tier clusters (docs/contract/api.md 2.16). */
export async function auditingOf(
  tx: ReadTx,
  { groupId, spec }: Pick<ClusterModel, 'groupId' | 'spec'>,
): Promise<AuditingSpec | undefined> {
  return spec.tenant ? undefined : auditingSpec(tx, groupId);
}

/** Applies the audit configuration without a restart, so that clusters stay IDLE. */
export const followAuditing = subscribe(auditingChanged, async (tx, { groupId }) => {
  for (const cluster of await clustersIn(tx, groupId)) {
    const isAudited = !cluster.spec.tenant && can(cluster, 'auditing');
    if (isAudited && cluster.state !== 'DELETING') await enqueueWork(tx, APPLY, cluster, {});
  }
});
