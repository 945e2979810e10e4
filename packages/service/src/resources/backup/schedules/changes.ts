import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { type ClusterModel, type ClusterWork, enqueueWork, hasLocalDisks } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { keepAsItems } from '../snapshots/changes.ts';
import { defaultSchedule, extraDays, keptDays, nextDue, type Schedule } from './policy.ts';
import { putSchedule, type ScheduleRow, scheduleOf } from './rows.ts';

export const FOLLOW_SCHEDULE = { kind: 'backup.schedule' };

/** `at`: the moment that the schedule waited for, ISO 8601. Another one says that it was changed meanwhile. */
export interface ScheduleWork extends ClusterWork {
  readonly at: string;
}

type Place = Pick<ClusterModel, 'id' | 'groupId' | 'host'>;

/** The schedule of a cluster with backups; those that had them before there were schedules get theirs now. */
export async function ensureSchedule(tx: Tx, cluster: ClusterModel): Promise<ScheduleRow> {
  return (await scheduleOf(tx, cluster.id)) ?? (await addDefault(tx, cluster));
}

export function addDefault(tx: Tx, cluster: ClusterModel): Promise<ScheduleRow> {
  const schedule = defaultSchedule(tx.now, hasLocalDisks(cluster.spec), () => tx.id());
  return startSchedule(tx, cluster, schedule);
}

/** Somebody's change; with `updateSnapshots` it holds for what is there, too. */
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
    await keepAsItems(tx, cluster.id, days);
  }
  const type = 'CPS_SNAPSHOT_SCHEDULE_UPDATED_AUDIT';
  await recordInProject(tx, cluster.groupId, { type, actor, clusterName: cluster.name });
  return row;
}

async function startSchedule(tx: Tx, cluster: Place, schedule: Schedule): Promise<ScheduleRow> {
  const now = tx.now.getTime();
  return await awaitNext(tx, cluster, schedule, nextDue(schedule, { after: now, now, from: now }));
}

/** Lets a task wait for the next moment at which a snapshot is due. */
export async function awaitNext(
  tx: Tx,
  cluster: Place,
  schedule: Schedule,
  moment: number | undefined,
): Promise<ScheduleRow> {
  const before = await scheduleOf(tx, cluster.id);
  const next = moment === undefined ? undefined : new Date(moment);
  const row: ScheduleRow = { clusterId: cluster.id, groupId: cluster.groupId, next, schedule };
  await putSchedule(tx, row);
  if (next !== undefined && next.getTime() !== before?.next?.getTime()) {
    const at = next.toISOString();
    await enqueueWork<ScheduleWork>(
      tx,
      FOLLOW_SCHEDULE,
      cluster,
      { at },
      { beside: `at:${at}`, runAt: next },
    );
  }
  return row;
}

/** Days that are added to what somebody asks for. */
export async function extraDaysOnDemand(tx: ReadTx, clusterId: string): Promise<number> {
  const row = await scheduleOf(tx, clusterId);
  return row === undefined ? 0 : extraDays(row.schedule, 'ON_DEMAND');
}
