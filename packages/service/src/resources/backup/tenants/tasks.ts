import { subscribe, type Tx } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import {
  type ClusterModel,
  type ClusterWork,
  clusterById,
  clusterChanging,
  enqueueWork,
} from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { scheduleSnapshot } from '../snapshots/changes.ts';
import { intervalOf, nextDue, occurrences } from './fixed-schedule.ts';

/**
 * `interval` identifies the schedule. If a change of the cluster's kind changes the interval, a new task with the new
 * interval replaces this task.
 */
interface FixedScheduleWork extends ClusterWork {
  readonly due: string;
  readonly interval: number;
}

const FOLLOW_FIXED_SCHEDULE = { kind: 'backup.rhythm' };

/** Schedules the task for the next due time. */
async function awaitNext(tx: Tx, cluster: ClusterModel): Promise<void> {
  const due = nextDue(cluster, tx.now);
  const interval = intervalOf(cluster);
  if (due === undefined || interval === undefined) return;
  await enqueueWork<FixedScheduleWork>(
    tx,
    FOLLOW_FIXED_SCHEDULE,
    cluster,
    { due: due.toISOString(), interval },
    { queue: `rhythm:${due.getTime()}`, runAt: due, onAnyInstance: true },
  );
}

/** Enqueues the due snapshots of a tenant cluster, and the task for the next due time. */
export const followFixedSchedule: TaskKind<FixedScheduleWork, Services> = {
  ...FOLLOW_FIXED_SCHEDULE,
  steps: [
    {
      name: 'queue',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster || cluster.state === 'DELETING' || intervalOf(cluster) !== payload.interval) return;
        for (const { due, frequency, days } of occurrences(cluster, new Date(payload.due), tx.now)) {
          // The schedule has one fixed item, whose id is the id of the cluster.
          await scheduleSnapshot(tx, cluster, { due, items: [{ id: cluster.id, frequency, days }] });
        }
        await awaitNext(tx, cluster);
      },
    },
  ],
};

/** Starts the schedule when the cluster is created, and when the cluster changes to a kind with another interval. */
export const startFixedSchedule = subscribe(clusterChanging, async (tx, change) => {
  const begins = change.kind === 'create';
  const turns = change.kind === 'update' && intervalOf(change.before) !== intervalOf(change.cluster);
  if (begins || turns) await awaitNext(tx, change.cluster);
});
