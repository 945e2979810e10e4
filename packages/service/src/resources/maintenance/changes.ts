import { isDeepStrictEqual } from 'node:util';
import { system } from '../../events/index.ts';
import type { Topic, Tx } from '../../store/index.ts';
import { enqueue } from '../../tasks/index.ts';
import { type ClusterModel, dueVersion } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { maintenanceFaults } from './faults.ts';
import { type Maintenance, maintenanceOf, saveMaintenance } from './rows.ts';
import {
  MAX_DEFERRALS,
  type maintenanceEvents,
  readWindow,
  requireScheduled,
  requireWindow,
} from './rules.ts';
import type { MaintenanceWindow } from './schema.ts';
import { earliestAllowed, nextStart, WEEK_MS } from './window.ts';

export const START = { kind: 'maintenance.begin' };

/**
 * The payload of a task that starts maintenance. `at` is the planned start in ISO 8601. If the project has another
 * start when the task runs, the maintenance was deferred or cancelled.
 */
export interface MaintenanceStart {
  readonly groupId: string;
  readonly at: string;
}

/** Published when a project without a maintenance window gets one. */
export const windowSet: Topic<{ readonly groupId: string }> = { name: 'maintenance window set' };

/**
 * Updates the window. Throws if maintenance is scheduled and the window would change. Scheduled maintenance
 * keeps its date, unless the body starts it immediately.
 */
export async function changeWindow(tx: Tx, groupId: string, body: MaintenanceWindow): Promise<void> {
  const before = await maintenanceOf(tx, groupId);
  const window = readWindow(body, before.window);
  if (before.scheduled !== undefined && !isDeepStrictEqual(window, before.window)) {
    throw maintenanceFaults.PLATFORM_MAINTENANCE_ALREADY_SCHEDULED();
  }
  const autoDefer = body.autoDeferOnceEnabled ?? before.autoDefer;
  if (autoDefer && window === undefined) throw maintenanceFaults.PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED();
  const changed = { ...before, ...(window && { window }), autoDefer };
  if (before.window === undefined && window !== undefined) await tx.publish(windowSet, { groupId });
  if (body.startASAP !== true || before.startAsap) return saveMaintenance(tx, changed);
  requireScheduled(before);
  await schedule(tx, { ...changed, startAsap: true }, earliestAllowed(window ?? {}, tx.now));
}

export async function resetWindow(tx: Tx, groupId: string): Promise<void> {
  const { window: _, ...before } = await maintenanceOf(tx, groupId);
  if (before.scheduled !== undefined) throw maintenanceFaults.PLATFORM_MAINTENANCE_ALREADY_SCHEDULED();
  await saveMaintenance(tx, { ...before, autoDefer: false });
}

export async function toggleAutoDefer(tx: Tx, groupId: string): Promise<void> {
  const before = await maintenanceOf(tx, groupId);
  requireWindow(before);
  await saveMaintenance(tx, { ...before, autoDefer: !before.autoDefer });
}

/** Defers scheduled maintenance by a week. */
export async function deferMaintenance(tx: Tx, groupId: string): Promise<void> {
  const before = await maintenanceOf(tx, groupId);
  requireWindow(before);
  const at = requireScheduled(before);
  if (before.deferrals >= MAX_DEFERRALS) {
    throw maintenanceFaults.PLATFORM_NUM_MAINTENANCE_DEFERRALS_EXCEEDED();
  }
  const deferred = { ...before, startAsap: false, deferrals: before.deferrals + 1 };
  await schedule(tx, deferred, new Date(at.getTime() + WEEK_MS));
}

/** Schedules the maintenance of a project, or cancels it if no cluster needs it. */
export async function reschedule(tx: Tx, groupId: string, clusters: readonly ClusterModel[]): Promise<void> {
  const isDue = clusters.some((cluster) => dueVersion(cluster) !== undefined);
  const before = await maintenanceOf(tx, groupId);
  if (before.started || isDue === (before.scheduled !== undefined)) return;
  if (!isDue) {
    await saveMaintenance(tx, withoutSchedule(before));
    return record(tx, groupId, 'MAINTENANCE_NO_LONGER_NEEDED');
  }
  const { window, autoDefer } = before;
  await record(tx, groupId, 'MAINTENANCE_IN_ADVANCED');
  if (window === undefined) return schedule(tx, before, tx.now);
  const begin = nextStart(window, tx.now);
  if (!autoDefer) return schedule(tx, before, begin);
  await record(tx, groupId, 'MAINTENANCE_AUTO_DEFERRED');
  await schedule(tx, { ...before, deferrals: 1 }, new Date(begin.getTime() + WEEK_MS));
}

/** Returns the settings without the scheduled maintenance. */
export function withoutSchedule({ scheduled: _, ...rest }: Maintenance): Maintenance {
  return { ...rest, deferrals: 0, startAsap: false, started: false };
}

async function schedule(tx: Tx, one: Maintenance, at: Date): Promise<void> {
  await saveMaintenance(tx, { ...one, scheduled: at });
  await enqueue<MaintenanceStart>(tx, START, {
    key: `maintenance:${one.groupId}:${at.getTime()}`,
    owner: one.groupId,
    payload: { groupId: one.groupId, at: at.toISOString() },
    runAt: at,
  });
}

export async function record(tx: Tx, groupId: string, type: keyof typeof maintenanceEvents): Promise<void> {
  await recordInProject(tx, groupId, { type, actor: system });
}
