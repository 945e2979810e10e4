import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { assertCan } from '../../clusters/index.ts';
import type { DownloadRow } from '../model/downloads/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { rejectDeleted } from '../snapshots/deleted/rules.ts';
import { findShard, kindOf, requireSnapshot, requireSource } from '../snapshots/rules.ts';
import { requestDownload } from './changes.ts';
import { CLUSTER_HOURS, checkDownload } from './rules.ts';

/** Starts the download of a snapshot, or of one of its shards. Returns the download and the snapshot. */
export async function startDownload(
  tx: Tx,
  at: { readonly groupId: string; readonly clusterName: string; readonly snapshotId: string },
  actor: Actor,
): Promise<{ readonly row: DownloadRow; readonly snapshot: SnapshotRow }> {
  await rejectDeleted(tx, at);
  const part = await findShard(tx, at);
  const whole = { ...at, snapshotId: part?.snapshot.id ?? at.snapshotId };
  const source = await requireSource(tx, whole);
  assertCan(source, 'snapshotFiles');
  const snapshot = await requireSnapshot(tx, whole, kindOf(source));
  await checkDownload(tx, snapshot);
  const wanted = { hours: CLUSTER_HOURS, shard: part?.shard };
  return { row: await requestDownload(tx, snapshot, wanted, actor), snapshot };
}
