import { type ReadTx, subscribe } from '../../../store/index.ts';
import {
  type ClusterModel,
  can,
  clusterById,
  clusterChanging,
  clusterRemoved,
} from '../../clusters/index.ts';
import { projectRemoving } from '../../projects/index.ts';
import { keepsBackups } from '../model/compliance/guard.ts';
import { oplogOf, oplogsIn } from '../model/oplog/rows.ts';
import { openRestores } from '../model/restores/rows.ts';
import { isContinuous } from '../model/settings.ts';
import { hasSnapshots } from '../model/snapshots/rows.ts';
import { snapshotCompleted, snapshotForgotten } from '../model/snapshots/topics.ts';
import {
  archiveLast,
  beginArchive,
  forgetArchive,
  removeArchive,
  requestArchive,
  retainArchive,
} from './changes.ts';
import { pointInTimeFaults } from './faults.ts';

/** Whether the service archives the oplog of a cluster. Engines that store snapshots also archive the oplog. */
function isArchived(cluster: ClusterModel): boolean {
  return isContinuous(cluster) && can(cluster, 'snapshotFiles');
}

/**
 * Archives the oplog of a cluster while it has continuous backup. Disabling continuous backup removes the archive
 * (docs/contract/clusters.md 2.11).
 */
export const followContinuous = subscribe(clusterChanging, async (tx, change) => {
  const { cluster } = change;
  if (change.kind === 'remove') {
    const keeps = (await keepsBackups(tx, change)) && (await hasSnapshots(tx, cluster.id));
    if (keeps) await archiveLast(tx, cluster);
    return;
  }
  const disables = change.kind === 'update' && isContinuous(change.before) && !isContinuous(cluster);
  if (disables) await rejectDuringReplay(tx, cluster);
  if (isArchived(cluster)) await beginArchive(tx, cluster);
  else await removeArchive(tx, cluster.id);
});

/** Throws OPLOG_IN_USE during a restore to a point in time, which needs the archived oplog. */
async function rejectDuringReplay(tx: ReadTx, { id, name }: ClusterModel): Promise<void> {
  const restores = await openRestores(tx, id);
  if (restores.some(({ pointInTime }) => pointInTime)) throw pointInTimeFaults.OPLOG_IN_USE(name);
}

/** Starts or continues the archive at each new snapshot, since a restore to a point in time begins with a snapshot. */
export const followSnapshot = subscribe(snapshotCompleted, async (tx, { clusterId }) => {
  const cluster = await clusterById(tx, clusterId);
  if (cluster === undefined || !isArchived(cluster)) return;
  await beginArchive(tx, cluster);
  await requestArchive(tx, cluster.id);
});

/** Removes the archive with its cluster, unless snapshots of the cluster are retained. */
export const followClusterRemoval = subscribe(clusterRemoved, async (tx, { cluster, retainBackups }) => {
  const keeps = (await keepsBackups(tx, { cluster, retainBackups })) && (await hasSnapshots(tx, cluster.id));
  await (keeps ? retainArchive(tx, cluster.id) : removeArchive(tx, cluster.id));
});

/**
 * Removes the archive once the last retained snapshot is gone, since no point in time can be restored without
 * snapshots.
 */
export const followSnapshotRemoval = subscribe(snapshotForgotten, async (tx, { clusterId }) => {
  const row = await oplogOf(tx, clusterId);
  if (row?.facts.ended !== undefined && !(await hasSnapshots(tx, clusterId)))
    await removeArchive(tx, clusterId);
});

export const followProjectRemoval = subscribe(projectRemoving, async (tx, { groupId }) => {
  for (const row of await oplogsIn(tx, groupId)) await forgetArchive(tx, row);
});
