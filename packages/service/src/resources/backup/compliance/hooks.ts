import { type ReadTx, subscribe } from '../../../store/index.ts';
import {
  type ClusterModel,
  clusterChanging,
  clusterRemoved,
  duplicateName,
  isRetainedName,
} from '../../clusters/index.ts';
import { keysChanging } from '../../encryption/index.ts';
import { projectRemoving } from '../../projects/index.ts';
import { complianceFaults } from '../model/compliance/faults.ts';
import { guardCluster, isBound, policyOf } from '../model/compliance/guard.ts';
import { isBackedUp } from '../model/settings.ts';
import { queuePolicy } from './changes.ts';
import { hasTakenName, takeName } from './rows.ts';

/**
 * Makes new dedicated clusters comply with the policy, and rejects changes of existing clusters that would violate it.
 */
export const enforcePolicy = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind !== 'create' && change.kind !== 'update') return;
  const { cluster } = change;
  const policy = await policyOf(tx, cluster.groupId);
  if (policy === undefined) return;
  if (change.kind === 'create') await checkName(tx, cluster);
  if (!isBound(cluster)) return;
  const before = change.kind === 'update' && isBound(change.before) ? change.before : undefined;
  guardCluster(policy, cluster, before);
  const lacks = !isBackedUp(cluster) || (policy.pit && !cluster.spec.settings.pitEnabled);
  if (before === undefined || lacks) await queuePolicy(tx, cluster.groupId);
});

/**
 * Throws if a deleted cluster had the name. Under a policy, such a name cannot be used again, since the name also
 * selects the backups of the deleted cluster (docs/contract/clusters.md 2.4).
 */
async function checkName(tx: ReadTx, { groupId, name }: ClusterModel): Promise<void> {
  const isTaken = (await hasTakenName(tx, groupId, name)) || (await isRetainedName(tx, groupId, name));
  if (isTaken) throw duplicateName(groupId, name);
}

export const keepName = subscribe(clusterRemoved, async (tx, { cluster: { groupId, name } }) => {
  if ((await policyOf(tx, groupId)) !== undefined) await takeName(tx, groupId, name);
});

/** Rejects the removal of the encryption keys while the policy requires encryption. */
export const protectKeys = subscribe(keysChanging, async (tx, { groupId, before, after }) => {
  if (before.size > 0 && after.size === 0 && (await policyOf(tx, groupId))?.encryption)
    throw complianceFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY();
});

export const keepProject = subscribe(projectRemoving, async (tx, { groupId }) => {
  if ((await policyOf(tx, groupId)) !== undefined)
    throw complianceFaults.CANNOT_CLOSE_GROUP_ACTIVE_BACKUP_COMPLIANCE_POLICY();
});
