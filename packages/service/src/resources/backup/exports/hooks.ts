import { system } from '../../../events/index.ts';
import { subscribe } from '../../../store/index.ts';
import { clusterById } from '../../clusters/index.ts';
import { findBucket } from '../buckets/rows.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { snapshotCompleted, snapshotForgotten } from '../model/snapshots/topics.ts';
import { cancelExports, record, requestExport } from './changes.ts';

/** Exports a scheduled snapshot if it was due at a frequency that the schedule exports. */
export const exportBySchedule = subscribe(snapshotCompleted, async (tx, snapshot) => {
  const { enabled, bucketId, frequencyType } =
    (await scheduleOf(tx, snapshot.clusterId))?.schedule.autoExport ?? {};
  const { items = [] } = snapshot.facts;
  if (!enabled || snapshot.type !== 'scheduled') return;
  if (!items.some(({ frequency }) => frequency === frequencyType)) return;
  const cluster = await clusterById(tx, snapshot.clusterId);
  if (cluster === undefined || bucketId === undefined) return;
  if ((await findBucket(tx, snapshot.groupId, bucketId)) === undefined) {
    const { groupId, facts } = snapshot;
    await record(tx, 'CPS_AUTO_EXPORT_FAILED', { groupId, clusterName: facts.clusterName }, system);
    return;
  }
  await requestExport(tx, cluster, { snapshot, bucketId, bySchedule: true });
});

export const cancelForgotten = subscribe(snapshotForgotten, (tx, { id, clusterId }) =>
  cancelExports(tx, clusterId, (snapshotId) => snapshotId === id),
);
