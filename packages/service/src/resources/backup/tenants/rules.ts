import type { ReadTx } from '../../../store/index.ts';
import { type ClusterModel, isSharded, keyProviderOf } from '../../clusters/index.ts';
import { belongsTo, type JobRow, jobById } from '../model/jobs/rows.ts';
import { isBeingRestored } from '../model/restores/rows.ts';
import { type SnapshotRow, snapshotById } from '../model/snapshots/rows.ts';
import { restoreFaults } from '../restores/faults.ts';
import { isNewer } from '../restores/rules.ts';
import { tenantFaults } from './faults.ts';

/** Returns the snapshot of a tenant cluster that a path names. Throws TENANT_SNAPSHOT_NOT_FOUND. */
export async function requireTenantSnapshot(tx: ReadTx, cluster: ClusterModel, id: string) {
  const row = await snapshotById(tx, id);
  if (row?.clusterId !== cluster.id) throw tenantFaults.TENANT_SNAPSHOT_NOT_FOUND(id, cluster.name);
  return row;
}

/** Returns the restore job of a tenant cluster that a path names. Throws TENANT_RESTORE_NOT_FOUND. */
export async function requireTenantRestore(tx: ReadTx, cluster: ClusterModel, id: string): Promise<JobRow> {
  const row = await jobById(tx, id);
  if (!belongsTo(row, cluster.id)) throw tenantFaults.TENANT_RESTORE_NOT_FOUND(id, cluster.name);
  return row;
}

/** Throws if a snapshot cannot be restored to a cluster. */
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
