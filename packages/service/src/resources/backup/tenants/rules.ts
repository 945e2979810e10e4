import { faults } from '@portolan/foundation/faults';
import type { ReadTx } from '../../../store/index.ts';
import { type ClusterModel, isSharded, keyProviderOf } from '../../clusters/index.ts';
import { isBeingRestored, type RestoreRow, restoreById } from '../restores/rows.ts';
import { isNewer, restoreFaults } from '../restores/rules.ts';
import { type SnapshotRow, snapshotById } from '../snapshots/rows.ts';

export const tenantFaults = faults({
  TENANT_SNAPSHOT_NOT_FOUND: [404, 'No snapshot with the id {0} of {1} exists.'],
  TENANT_RESTORE_NOT_FOUND: [404, 'No restore with the id {0} of {1} exists.'],
  TENANT_RESTORE_DESTINATION_UNAVAILABLE: [400, 'The cluster {0} cannot be restored now.'],
  TENANT_RESTORE_DESTINATION_ENCRYPTION: [
    400,
    'The data of the cluster {0} is encrypted, the snapshot is not.',
  ],
  TENANT_RESTORE_INCOMPATIBLE_TOPOLOGY: [400, 'The cluster {0} is sharded, the snapshot is not.'],
  TENANT_RESTORE_VERSION_MISMATCH: [400, 'The cluster {0} runs an older version than the snapshot is of.'],
});

/** A snapshot of a flex cluster or a serverless instance; throws where it has none of that id. */
export async function requireTenantSnapshot(tx: ReadTx, cluster: ClusterModel, id: string) {
  const row = await snapshotById(tx, id);
  if (row?.clusterId !== cluster.id) throw tenantFaults.TENANT_SNAPSHOT_NOT_FOUND(id, cluster.name);
  return row;
}

/** A restore of one of its snapshots. */
export async function requireTenantRestore(
  tx: ReadTx,
  cluster: ClusterModel,
  id: string,
): Promise<RestoreRow> {
  const row = await restoreById(tx, id);
  if (row?.clusterId !== cluster.id) throw tenantFaults.TENANT_RESTORE_NOT_FOUND(id, cluster.name);
  return row;
}

/** Throws where the data of a snapshot cannot take the place of a cluster's. */
export async function checkTenantTarget(
  tx: ReadTx,
  snapshot: SnapshotRow,
  target: ClusterModel,
): Promise<void> {
  const { id, name, paused, spec, state } = target;
  if (snapshot.status !== 'completed')
    throw restoreFaults.CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT();
  if (isSharded(spec)) throw tenantFaults.TENANT_RESTORE_INCOMPATIBLE_TOPOLOGY(name);
  if (isNewer(snapshot, target)) throw tenantFaults.TENANT_RESTORE_VERSION_MISMATCH(name);
  if (keyProviderOf(target) !== undefined) throw tenantFaults.TENANT_RESTORE_DESTINATION_ENCRYPTION(name);
  if (paused || state === 'DELETING' || state === 'CREATING' || (await isBeingRestored(tx, id)))
    throw tenantFaults.TENANT_RESTORE_DESTINATION_UNAVAILABLE(name);
}
