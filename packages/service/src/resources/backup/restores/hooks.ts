import { system } from '../../../events/index.ts';
import { subscribe, type Tx } from '../../../store/index.ts';
import { type ClusterModel, clusterChanging, clusterWorkStarting } from '../../clusters/index.ts';
import { isBeingRestored } from '../model/restores/rows.ts';
import { restoreFaults } from './faults.ts';

/**
 * Rejects changes that callers request for a cluster that is being restored. Changes by the service itself wait until
 * the restore has ended.
 */
export const protectTarget = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind === 'update' && change.actor !== system) await rejectDuringRestore(tx, change);
});

/** Rejects work that the restore would undo, or that would interrupt the restore. */
export const keepWorkAway = subscribe(clusterWorkStarting, rejectDuringRestore);

async function rejectDuringRestore(
  tx: Tx,
  { cluster: { id, name } }: { readonly cluster: ClusterModel },
): Promise<void> {
  if (await isBeingRestored(tx, id)) throw restoreFaults.CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE(name);
}
