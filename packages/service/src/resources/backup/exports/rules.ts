import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { requireWithRetained } from '../../clusters/index.ts';
import { downloadFaults } from '../downloads/faults.ts';
import {
  type ExportRow,
  exportById,
  exportOfComponent,
  exportsOfSnapshot,
  isActive,
} from '../model/exports/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { exportFaults } from './faults.ts';

/** Throws if a snapshot cannot be exported now. The codes are those of docs/contract/clusters.md 3.6. */
export async function checkExport(tx: ReadTx, { id, status, type }: SnapshotRow): Promise<void> {
  if (status !== 'completed') throw downloadFaults.CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT();
  if (type === 'fallback') throw generalFaults.INVALID_ATTRIBUTE('snapshotId');
  if ((await exportsOfSnapshot(tx, id)).some(isActive))
    throw downloadFaults.CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY();
}

/**
 * Returns the job that a path names. If the path names the job of a single shard, returns the job of the whole cluster.
 * Throws EXPORT_JOB_NOT_FOUND.
 */
export async function requireExport(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string; readonly exportId: string },
): Promise<ExportRow> {
  const whole = await exportById(tx, at.exportId);
  const cluster = await requireWithRetained(tx, at, whole?.clusterId);
  const row = whole ?? (await exportOfComponent(tx, at.exportId));
  if (row?.clusterId !== cluster.id) throw exportFaults.EXPORT_JOB_NOT_FOUND(at.exportId, at.clusterName);
  return row;
}
