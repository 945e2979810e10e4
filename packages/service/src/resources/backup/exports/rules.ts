import { faults } from '@portolan/foundation/faults';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { requireWithRetained } from '../../clusters/index.ts';
import { downloadFaults } from '../downloads/rules.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';
import { type ExportRow, exportById, exportOfComponent, exportsOfSnapshot, isActive } from './rows.ts';

export const exportFaults = faults({
  // The reference has no code of its own for them; named as those of restores are.
  EXPORT_JOB_NOT_FOUND: [404, 'No export job with the id {0} of cluster {1} exists.'],
});

/** Throws where a snapshot cannot be exported now. The reference has chosen the codes (its section 3.6). */
export async function checkExport(tx: ReadTx, { id, status, type }: SnapshotRow): Promise<void> {
  if (status !== 'completed') throw downloadFaults.CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT();
  if (type === 'fallback') throw generalFaults.INVALID_ATTRIBUTE('snapshotId');
  if ((await exportsOfSnapshot(tx, id)).some(isActive))
    throw downloadFaults.CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY();
}

/** The job of a path, or the one to which that of a single shard belongs. */
export async function requireExport(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string; readonly exportId: string },
): Promise<ExportRow> {
  const whole = await exportById(tx, at.exportId);
  const cluster = await requireWithRetained(tx, at, whole?.clusterId);
  const row = whole ?? (await exportOfComponent(tx, cluster.id, at.exportId));
  if (row?.clusterId !== cluster.id) throw exportFaults.EXPORT_JOB_NOT_FOUND(at.exportId, at.clusterName);
  return row;
}
