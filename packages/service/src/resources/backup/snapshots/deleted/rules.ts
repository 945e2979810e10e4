import type { ReadTx } from '../../../../store/index.ts';
import { requireWithRetained } from '../../../clusters/index.ts';
import { deletedSnapshotFaults } from './faults.ts';
import { deletedSnapshot } from './rows.ts';

/** Throws if a caller deleted this snapshot. */
export async function rejectDeleted(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string; readonly snapshotId: string },
): Promise<void> {
  const deleted = await deletedSnapshot(tx, at.snapshotId);
  if (deleted === undefined) return;
  const cluster = await requireWithRetained(tx, at, deleted.clusterId);
  if (cluster.id !== deleted.clusterId) return;
  throw deleted.sharded
    ? deletedSnapshotFaults.CANNOT_START_RESTORE_JOB_FOR_DELETED_CLUSTER_SNAPSHOT()
    : deletedSnapshotFaults.CANNOT_START_RESTORE_JOB_FOR_DELETED_SNAPSHOT();
}
