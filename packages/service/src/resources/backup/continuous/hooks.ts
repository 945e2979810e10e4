import { subscribe } from '../../../store/index.ts';
import { clusterById, clusterChanging, clusterRemoved } from '../../clusters/index.ts';
import { projectRemoving } from '../../projects/index.ts';
import { keepsBackups } from '../compliance/guard.ts';
import { snapshotCompleted, snapshotForgotten } from '../snapshots/changes.ts';
import { hasSnapshots } from '../snapshots/rows.ts';
import {
  archiveLast,
  askArchive,
  beginArchive,
  forgetArchive,
  isContinuous,
  removeArchive,
  retainArchive,
} from './changes.ts';
import { oplogOf, oplogsIn } from './rows.ts';

/** The oplog of a cluster is archived while it has continuous backups; without them its history goes (reference 2.11). */
export const followContinuous = subscribe(clusterChanging, async (tx, change) => {
  const { cluster } = change;
  if (change.kind === 'remove') {
    const keeps = (await keepsBackups(tx, change)) && (await hasSnapshots(tx, cluster.id));
    if (keeps) await archiveLast(tx, cluster);
    return;
  }
  if (isContinuous(cluster)) await beginArchive(tx, cluster);
  else await removeArchive(tx, cluster.id);
});

/** Moments are reached from a snapshot on; those that were there before anything was archived get their archive with it. */
export const followTaken = subscribe(snapshotCompleted, async (tx, { clusterId }) => {
  const cluster = await clusterById(tx, clusterId);
  if (cluster === undefined || !isContinuous(cluster)) return;
  await beginArchive(tx, cluster);
  await askArchive(tx, cluster.id);
});

/** It goes with its cluster, unless snapshots of that are kept. */
export const followEnd = subscribe(clusterRemoved, async (tx, { cluster, retainBackups }) => {
  const keeps = (await keepsBackups(tx, { cluster, retainBackups })) && (await hasSnapshots(tx, cluster.id));
  await (keeps ? retainArchive(tx, cluster.id) : removeArchive(tx, cluster.id));
});

/** Without a snapshot of a cluster that is gone no moment can be reached any more. */
export const followLast = subscribe(snapshotForgotten, async (tx, { clusterId }) => {
  const row = await oplogOf(tx, clusterId);
  if (row?.facts.ended !== undefined && !(await hasSnapshots(tx, clusterId)))
    await removeArchive(tx, clusterId);
});

export const followProjectEnd = subscribe(projectRemoving, async (tx, { groupId }) => {
  for (const row of await oplogsIn(tx, groupId)) await forgetArchive(tx, row);
});
