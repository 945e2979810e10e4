import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import {
  type ClusterModel,
  type ClusterPlace,
  type ClusterWork,
  enqueueWork,
  hasLocalDisks,
} from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { defaultSchedule, keptDays, nextDue, type Schedule } from '../model/schedules/policy.ts';
import { putSchedule, type ScheduleRow, scheduleOf } from '../model/schedules/rows.ts';
import { applyItemRetention } from '../snapshots/changes.ts';

export const FOLLOW_SCHEDULE = { kind: 'backup.schedule' };

/**
 * `at` is the due time in ISO 8601. If the stored schedule has another due time, the schedule was changed and this task
 * is obsolete.
 */
export interface ScheduleWork extends ClusterWork {
  readonly at: string;
}

/**
 * Returns the schedule of a cluster with backups. A cluster that was created before schedules existed gets the default
 * schedule.
 */
export async function ensureSchedule(tx: Tx, cluster: ClusterModel): Promise<ScheduleRow> {
  return (await scheduleOf(tx, cluster.id)) ?? (await addDefault(tx, cluster));
}

export function addDefault(tx: Tx, cluster: ClusterModel): Promise<ScheduleRow> {
  const schedule = defaultSchedule(tx.now, hasLocalDisks(cluster.spec), () => tx.id());
  return startSchedule(tx, cluster, schedule);
}

/** Changes a schedule at the request of a caller. `updateSnapshots` applies the new retention to existing snapshots. */
export async function changeSchedule(
  tx: Tx,
  cluster: ClusterModel,
  change: { readonly schedule: Schedule; readonly updateSnapshots: boolean },
  actor: Actor,
): Promise<ScheduleRow> {
  const { schedule, updateSnapshots } = change;
  const row = await startSchedule(tx, cluster, schedule);
  if (updateSnapshots) {
    const days = new Map(schedule.items.map((item) => [item.id, keptDays(schedule, item)]));
    await applyItemRetention(tx, cluster.id, days);
  }
  const type = 'CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT';
  await recordInProject(tx, cluster.groupId, { type, actor, clusterName: cluster.name });
  return row;
}

async function startSchedule(tx: Tx, cluster: ClusterPlace, schedule: Schedule): Promise<ScheduleRow> {
  const now = tx.now.getTime();
  return await awaitNext(tx, cluster, schedule, nextDue(schedule, { after: now, now, from: now }));
}

/** Stores the schedule with its next due time, and enqueues a task for that time. */
export async function awaitNext(
  tx: Tx,
  cluster: ClusterPlace,
  schedule: Schedule,
  moment: number | undefined,
): Promise<ScheduleRow> {
  const before = await scheduleOf(tx, cluster.id);
  const next = moment === undefined ? undefined : new Date(moment);
  const row: ScheduleRow = { clusterId: cluster.id, groupId: cluster.groupId, next, schedule };
  await putSchedule(tx, row);
  if (next !== undefined && next.getTime() !== before?.next?.getTime()) {
    const at = next.toISOString();
    await enqueueWork<ScheduleWork>(tx, FOLLOW_SCHEDULE, cluster, { at }, { queue: `at:${at}`, runAt: next });
  }
  return row;
}
