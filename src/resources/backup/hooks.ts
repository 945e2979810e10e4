import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import { forgetFiles } from './snapshots/changes.ts';
import { deleteSnapshot, snapshotsOf } from './snapshots/rows.ts';

/** Snapshots go with their cluster, unless whoever deleted it wanted to keep them. */
export const followRemoval = subscribe(clusterRemoved, async (tx, { cluster, retainBackups }) => {
  if (retainBackups) return;
  const rows = await snapshotsOf(tx, cluster.id);
  for (const row of rows) await deleteSnapshot(tx, row);
  if (rows.length > 0) await forgetFiles(tx, cluster);
});
