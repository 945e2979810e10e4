import type { Call } from '../../../api/operation.ts';
import type { ReadTx } from '../../../store/index.ts';
import { type ClusterModel, clusterFaults, findCluster } from '../../clusters/index.ts';
import { findProject } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { restoreFaults } from './faults.ts';
import type { RestoreTarget } from './rules.ts';

type TargetCall = Pick<Call<Services, unknown, unknown, unknown>, 'may' | 'scope'>;

/**
 * Returns the target cluster; undefined if its project has no such cluster. Throws if the caller may not restore to
 * this project. A restore to another organization is never permitted.
 */
export async function findTarget(
  tx: ReadTx,
  call: TargetCall,
  { targetGroupId, targetClusterName }: RestoreTarget,
): Promise<ClusterModel | undefined> {
  const project = await findProject(tx, targetGroupId);
  const scope = { kind: 'group', id: targetGroupId, orgId: project?.orgId ?? '' } as const;
  const own = call.scope?.kind === 'group' && call.scope.orgId === project?.orgId;
  if (!own || !call.may('Project Backup Manager', scope)) throw restoreFaults.CANNOT_RESTORE_TO_TARGET();
  return findCluster(tx, targetGroupId, targetClusterName);
}

/** Like `findTarget`, but throws CLUSTER_NOT_FOUND if there is no such cluster. */
export async function requireTarget(
  tx: ReadTx,
  call: TargetCall,
  wanted: RestoreTarget,
): Promise<ClusterModel> {
  const target = await findTarget(tx, call, wanted);
  if (target) return target;
  throw clusterFaults.CLUSTER_NOT_FOUND(wanted.targetClusterName, wanted.targetGroupId);
}
