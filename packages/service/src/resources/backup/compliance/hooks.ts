import { subscribe } from '../../../store/index.ts';
import { clusterChanging } from '../../clusters/index.ts';
import { keysChanging } from '../../encryption/index.ts';
import { projectRemoving } from '../../projects/index.ts';
import { complianceFaults } from '../model/compliance/faults.ts';
import { guardCluster, isBound, policyOf } from '../model/compliance/guard.ts';
import { isBackedUp } from '../model/settings.ts';
import { queuePolicy } from './changes.ts';

/**
 * New dedicated clusters are made compliant, and changes of existing ones that would violate the policy are rejected.
 */
export const enforcePolicy = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind !== 'create' && change.kind !== 'update') return;
  const { cluster } = change;
  if (!isBound(cluster)) return;
  const policy = await policyOf(tx, cluster.groupId);
  if (policy === undefined) return;
  const before = change.kind === 'update' && isBound(change.before) ? change.before : undefined;
  guardCluster(policy, cluster, before);
  const lacks = !isBackedUp(cluster) || (policy.pit && !cluster.spec.settings.pitEnabled);
  if (before === undefined || lacks) await queuePolicy(tx, cluster.groupId);
});

/** The encryption keys cannot be removed while the policy requires encryption. */
export const protectKeys = subscribe(keysChanging, async (tx, { groupId, before, after }) => {
  if (before.size > 0 && after.size === 0 && (await policyOf(tx, groupId))?.encryption)
    throw complianceFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY();
});

export const keepProject = subscribe(projectRemoving, async (tx, { groupId }) => {
  if ((await policyOf(tx, groupId)) !== undefined)
    throw complianceFaults.CANNOT_CLOSE_GROUP_ACTIVE_BACKUP_COMPLIANCE_POLICY();
});
