import { subscribe, type Tx } from '../../../store/index.ts';
import { clusterChanging, clusterRemoved } from '../../clusters/index.ts';
import { cancelExports } from '../exports/changes.ts';
import { deleteSchedule, putSchedule, scheduleOf } from '../model/schedules/rows.ts';
import { isBackedUp, isContinuous } from '../model/settings.ts';
import { deleteSnapshots } from '../model/snapshots/rows.ts';
import { forgetFiles } from '../snapshots/changes.ts';
import { rejectInUse } from '../snapshots/in-use.ts';
import { addDefault } from './changes.ts';
import { checkWindow } from './rules.ts';

/**
 * A cluster has a schedule while it has backups. Disabling backups removes the schedule and the snapshots
 * (docs/contract/clusters.md 2.11).
 */
export const followBackups = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind !== 'create' && change.kind !== 'update') return;
  const before = change.kind === 'update' && isBackedUp(change.before);
  const { cluster } = change;
  const after = isBackedUp(cluster);
  if (after && !before) await addDefault(tx, cluster);
  const row = after && isContinuous(cluster) ? await scheduleOf(tx, cluster.id) : undefined;
  if (row && change.kind === 'update' && !isContinuous(change.before)) checkWindow(row.schedule, true);
  if (after && !isContinuous(cluster)) await endOplogCopies(tx, cluster.id);
  if (after || !before) return;
  await rejectInUse(tx, cluster.id);
  await deleteSchedule(tx, cluster.id);
  await cancelExports(tx, cluster.id, () => true);
  if (await deleteSnapshots(tx, cluster.id)) await forgetFiles(tx, cluster);
});

/**
 * Ends the oplog copies of a cluster without continuous backup, which has no archived oplog (docs/contract/clusters.md
 * 3.2).
 */
async function endOplogCopies(tx: Tx, clusterId: string): Promise<void> {
  const row = await scheduleOf(tx, clusterId);
  if (!row?.schedule.copies?.some(({ oplogs }) => oplogs)) return;
  const copies = row.schedule.copies.map((copy) => ({ ...copy, oplogs: false }));
  await putSchedule(tx, { ...row, schedule: { ...row.schedule, copies } });
}

export const endSchedule = subscribe(clusterRemoved, (tx, { cluster }) => deleteSchedule(tx, cluster.id));
