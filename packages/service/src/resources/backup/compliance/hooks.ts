import { subscribe } from '../../../store/index.ts';
import { clusterChanging } from '../../clusters/index.ts';
import { keysChanging } from '../../encryption/index.ts';
import { projectRemoving } from '../../projects/index.ts';
import { isBackedUp } from '../snapshots/rules.ts';
import { settleLater } from './changes.ts';
import { complianceFaults } from './faults.ts';
import { guardCluster, isBound, policyOf } from './guard.ts';

/** A new cluster, or one that has grown out of the shared sizes, gets what the policy requires; none loses it. */
export const holdToPolicy = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind !== 'create' && change.kind !== 'update') return;
  const { cluster } = change;
  if (!isBound(cluster)) return;
  const policy = await policyOf(tx, cluster.groupId);
  if (policy === undefined) return;
  const before = change.kind === 'update' && isBound(change.before) ? change.before : undefined;
  guardCluster(policy, cluster, before);
  const lacks = !isBackedUp(cluster) || (policy.pit && !cluster.spec.settings.pitEnabled);
  if (before === undefined || lacks) await settleLater(tx, cluster.groupId);
});

/** Where clusters have to be encrypted, keys for that stay. */
export const keepKeys = subscribe(keysChanging, async (tx, { groupId, before, after }) => {
  if (before.size > 0 && after.size === 0 && (await policyOf(tx, groupId))?.encryption)
    throw complianceFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY();
});

export const keepProject = subscribe(projectRemoving, async (tx, { groupId }) => {
  if ((await policyOf(tx, groupId)) !== undefined)
    throw complianceFaults.CANNOT_CLOSE_GROUP_ACTIVE_BACKUP_COMPLIANCE_POLICY();
});
