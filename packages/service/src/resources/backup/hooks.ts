import { subscribe } from '../../store/index.ts';
import { NotYet } from '../../tasks/index.ts';
import { clusterRemoved, retainCluster } from '../clusters/index.ts';
import { projectRemoving } from '../projects/index.ts';
import { endDownloadsOf } from './downloads/changes.ts';
import { cancelExports } from './exports/changes.ts';
import { keepsBackups } from './model/compliance/guard.ts';
import { recountExports } from './model/exports/rows.ts';
import { recountJobs } from './model/jobs/rows.ts';
import { hasOpenRestore } from './model/restores/rows.ts';
import { hasSnapshotsInProject, keepOnly, snapshotsOf } from './model/snapshots/rows.ts';
import { snapshotForgotten } from './model/snapshots/topics.ts';
import { forgetFiles } from './snapshots/changes.ts';
import { snapshotFaults } from './snapshots/faults.ts';

/** The pause before the removal of a cluster is tried again. */
const WAIT_MS = 1000;

/**
 * Removes the snapshots of a removed cluster. If backups are retained, completed snapshots stay. Otherwise, the removal
 * waits until no other cluster is being restored from these snapshots.
 */
export const followRemoval = subscribe(clusterRemoved, async (tx, { cluster, retainBackups }) => {
  const rows = await snapshotsOf(tx, cluster.id);
  if (rows.length === 0) return;
  const keeps = await keepsBackups(tx, { cluster, retainBackups });
  if (!keeps && (await hasOpenRestore(tx, cluster.id)))
    throw new NotYet(WAIT_MS, 'a snapshot of the cluster is being restored');
  const kept = keeps ? rows.filter(({ status }) => status === 'completed') : [];
  await keepOnly(tx, cluster.id, kept);
  const gone = rows.filter((row) => !kept.includes(row)).map(({ id }) => id);
  await endDownloadsOf(tx, cluster.groupId, new Set(gone));
  await cancelExports(tx, cluster.id, (id) => gone.includes(id));
  if (kept.length > 0) {
    await retainCluster(tx, cluster);
    await recountJobs(tx, cluster.id);
    await recountExports(tx, cluster.id);
  }
  if (kept.length < rows.length) await forgetFiles(tx, cluster);
});

/** Rejects the deletion of a project that has retained snapshots. */
export const keepProjectWithSnapshots = subscribe(projectRemoving, async (tx, { groupId }) => {
  if (await hasSnapshotsInProject(tx, groupId)) throw snapshotFaults.CANNOT_CLOSE_GROUP_ACTIVE_BACKUP();
});

export const followForgotten = subscribe(snapshotForgotten, (tx, { id, groupId }) =>
  endDownloadsOf(tx, groupId, new Set([id])),
);
