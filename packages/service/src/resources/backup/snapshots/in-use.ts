import type { ReadTx } from '../../../store/index.ts';
import { pendingCopies } from '../copies/rows.ts';
import { openDownloadsOf } from '../model/downloads/rows.ts';
import { activeExports } from '../model/exports/rows.ts';
import { openRestores } from '../model/restores/rows.ts';
import { snapshotFaults } from './faults.ts';

/**
 * Returns the ids of the snapshots of a cluster that jobs use. Maps each id to a participle for the error message, such
 * as `copied`.
 */
async function usesOf(tx: ReadTx, clusterId: string): Promise<ReadonlyMap<string, string>> {
  const uses = new Map<string, string>();
  for (const { snapshotId } of await pendingCopies(tx, clusterId)) uses.set(snapshotId, 'copied');
  for (const { snapshotId } of await activeExports(tx, clusterId)) uses.set(snapshotId, 'exported');
  for (const { snapshotId } of await openRestores(tx, clusterId)) uses.set(snapshotId, 'restored');
  // A download uses the snapshot only until its archives are ready.
  for (const { archives, source } of await openDownloadsOf(tx, clusterId))
    if (archives === undefined) uses.set(source, 'downloaded');
  return uses;
}

export async function isInUse(
  tx: ReadTx,
  { id, clusterId }: { readonly id: string; readonly clusterId: string },
): Promise<boolean> {
  return (await usesOf(tx, clusterId)).has(id);
}

/**
 * Throws SNAPSHOT_IN_USE if a job uses the given snapshot. Without a given snapshot, throws if a job uses any snapshot
 * of the cluster.
 */
export async function rejectInUse(tx: ReadTx, clusterId: string, snapshotId?: string): Promise<void> {
  for (const [id, use] of await usesOf(tx, clusterId))
    if (snapshotId === undefined || snapshotId === id) throw snapshotFaults.SNAPSHOT_IN_USE(id, use);
}
