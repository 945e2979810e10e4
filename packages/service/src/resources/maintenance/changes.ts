import { isDeepStrictEqual } from 'node:util';
import { system } from '../../events/index.ts';
import type { Topic, Tx } from '../../store/index.ts';
import { enqueue } from '../../tasks/index.ts';
import { type ClusterModel, dueVersion } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { type Maintenance, maintenanceOf, saveMaintenance } from './rows.ts';
import {
  MOST_DEFERRALS,
  type maintenanceEvents,
  maintenanceFaults,
  readWindow,
  requireScheduled,
  requireWindow,
} from './rules.ts';
import type { MaintenanceWindow } from './schema.ts';
import { nextBegin, soonest, WEEK_MS } from './window.ts';

export const BEGIN = { kind: 'maintenance.begin' };

/** `at`: when it was to begin, ISO 8601. Another date says that it was put off, or is not needed any more. */
export interface Beginning {
  readonly groupId: string;
  readonly at: string;
}

/** A project has a window, as it had none before. */
export const windowSet: Topic<{ readonly groupId: string }> = { name: 'maintenance window set' };

/** Takes over a window; what is scheduled already stays where it is, unless it is to begin now. */
export async function changeWindow(tx: Tx, groupId: string, body: MaintenanceWindow): Promise<void> {
  const before = await maintenanceOf(tx, groupId);
  const window = readWindow(body, before.window);
  if (before.scheduled !== undefined && !isDeepStrictEqual(window, before.window)) {
    throw maintenanceFaults.PLATFORM_MAINTENANCE_ALREADY_SCHEDULED();
  }
  const changed = { ...before, window, autoDefer: body.autoDeferOnceEnabled ?? before.autoDefer };
  if (before.window === undefined) await tx.publish(windowSet, { groupId });
  if (body.startASAP !== true || before.startAsap) return saveMaintenance(tx, changed);
  requireScheduled(before);
  await schedule(tx, { ...changed, startAsap: true }, soonest(window, tx.now));
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

/** Puts off what is scheduled by a week. */
export async function deferMaintenance(tx: Tx, groupId: string): Promise<void> {
  const before = await maintenanceOf(tx, groupId);
  requireWindow(before);
  const at = requireScheduled(before);
  if (before.deferrals >= MOST_DEFERRALS) {
    throw maintenanceFaults.PLATFORM_NUM_MAINTENANCE_DEFERRALS_EXCEEDED();
  }
  const deferred = { ...before, startAsap: false, deferrals: before.deferrals + 1 };
  await schedule(tx, deferred, new Date(at.getTime() + WEEK_MS));
}

/** Looks anew whether anything is to be done about the clusters of a project, as these are or are about to be. */
export async function reconsider(tx: Tx, groupId: string, clusters: readonly ClusterModel[]): Promise<void> {
  const isDue = clusters.some((cluster) => dueVersion(cluster) !== undefined);
  const before = await maintenanceOf(tx, groupId);
  if (before.started || isDue === (before.scheduled !== undefined)) return;
  if (!isDue) {
    await saveMaintenance(tx, nothingAhead(before));
    return record(tx, groupId, 'MAINTENANCE_NO_LONGER_NEEDED');
  }
  const { window, autoDefer } = before;
  await record(tx, groupId, 'MAINTENANCE_IN_ADVANCED');
  if (window === undefined) return schedule(tx, before, tx.now);
  const begin = nextBegin(window, tx.now);
  if (!autoDefer) return schedule(tx, before, begin);
  await record(tx, groupId, 'MAINTENANCE_AUTO_DEFERRED');
  await schedule(tx, { ...before, deferrals: 1 }, new Date(begin.getTime() + WEEK_MS));
}

/** As it is once all is done, or there is nothing to do. */
export function nothingAhead({ scheduled: _, ...rest }: Maintenance): Maintenance {
  return { ...rest, deferrals: 0, startAsap: false, started: false };
}

async function schedule(tx: Tx, one: Maintenance, at: Date): Promise<void> {
  await saveMaintenance(tx, { ...one, scheduled: at });
  await enqueue<Beginning>(tx, BEGIN, {
    key: `maintenance:${one.groupId}:${at.getTime()}`,
    payload: { groupId: one.groupId, at: at.toISOString() },
    runAt: at,
  });
}

export async function record(tx: Tx, groupId: string, type: keyof typeof maintenanceEvents): Promise<void> {
  await recordInProject(tx, groupId, { type, actor: system });
}
