import type { TaskKind } from '../../../tasks/index.ts';
import { type ClusterModel, clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { itemsDueAt, nextDue } from '../model/schedules/policy.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { scheduleSnapshot } from '../snapshots/changes.ts';
import { awaitNext, FOLLOW_SCHEDULE, type ScheduleWork } from './changes.ts';
import { notMissedFrom } from './lateness.ts';

const DAY_MS = 86_400_000;

/**
 * Enqueues the due snapshot, and the task for the next due time. Runs on an instance that reaches the cluster's host.
 */
export const followSchedule: TaskKind<ScheduleWork, Services> = {
  ...FOLLOW_SCHEDULE,
  steps: [
    {
      name: 'follow',
      async commit(tx, { payload, services }) {
        const row = await scheduleOf(tx, payload.clusterId);
        const cluster = await clusterById(tx, payload.clusterId);
        if (row?.next?.toISOString() !== payload.at || cluster === undefined) return;
        const { schedule } = row;
        const [at, now] = [row.next.getTime(), tx.now.getTime()];
        const from = runs(cluster)
          ? notMissedFrom(services.clock.setting(), services.machine.now())
          : now + 1;
        const items = itemsDueAt(schedule, at);
        const kept = items.some(({ days }) => at + days * DAY_MS > now);
        if (kept && at >= from) await scheduleSnapshot(tx, cluster, { due: row.next, items });
        await awaitNext(tx, cluster, schedule, nextDue(schedule, { after: at, now, from }));
      },
    },
  ],
};

/**
 * Whether a cluster takes snapshots. Snapshots that are due while the cluster is paused or being created are skipped.
 */
function runs({ paused, state }: ClusterModel): boolean {
  return !paused && state !== 'CREATING' && state !== 'DELETING';
}
