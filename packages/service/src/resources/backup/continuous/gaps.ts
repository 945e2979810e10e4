import { system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { type ClusterModel, clusterById, hasTrait } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { OplogRow, Span } from '../model/oplog/rows.ts';
import { lastRestored } from '../model/restores/rows.ts';
import { snapshotsOf } from '../model/snapshots/rows.ts';
import { snapshotAfterGap } from '../snapshots/changes.ts';
import { basesIn } from './window.ts';

/**
 * The end of the last restore that replaced the history of a cluster. A restore that only writes to the servers
 * continues their history instead.
 */
export async function lastReplaced(
  tx: ReadTx,
  cluster: Pick<ClusterModel, 'id' | 'placement'>,
): Promise<Date | undefined> {
  return hasTrait(cluster, 'continuedHistory') ? undefined : lastRestored(tx, cluster.id);
}

/**
 * Records that the archive has a gap between its last two spans. If the history of the cluster continues after
 * restores, and no point in time of the new span can be restored, also enqueues a snapshot. A restore of the cluster is
 * no gap, although it ends a span.
 */
export async function followGap(tx: Tx, { clusterId, groupId, facts }: OplogRow, span: Span): Promise<void> {
  const former = facts.spans.at(-1);
  const cluster = await clusterById(tx, clusterId);
  if (former === undefined || cluster === undefined) return;
  const restored = await lastReplaced(tx, cluster);
  if (restored !== undefined && restored >= new Date(former.checked)) return;
  const reason =
    `the servers do not return all operations since ${former.checked}: ` +
    'their oplog no longer contains them, or the event of a change exceeds 16 MB';
  const about = { clusterName: cluster.name, details: { reason } };
  await recordInProject(tx, groupId, { type: 'CPS_OPLOG_GAP', actor: system, ...about });
  const isRestorable = basesIn(span, await snapshotsOf(tx, clusterId)).length > 0;
  if (hasTrait(cluster, 'continuedHistory') && !isRestorable)
    await snapshotAfterGap(tx, cluster, { value: facts.windowDays, unit: 'DAYS' });
}
