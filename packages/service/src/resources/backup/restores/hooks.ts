import { system } from '../../../events/index.ts';
import { subscribe } from '../../../store/index.ts';
import { clusterChanging } from '../../clusters/index.ts';
import { isBeingRestored } from '../model/restores/rows.ts';
import { restoreFaults } from './rules.ts';

/**
 * Rejects changes by callers to a cluster that is being restored. Changes by the service itself wait until the restore
 * has ended.
 */
export const protectTarget = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind !== 'update' || change.actor === system) return;
  const { id, name } = change.cluster;
  if (await isBeingRestored(tx, id)) throw restoreFaults.CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE(name);
});
