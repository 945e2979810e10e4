import type { OplogPosition } from '@portolan/engine/management';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { assertCan, type ClusterModel, can } from '../../clusters/index.ts';
import { type OplogRow, oplogOf } from '../model/oplog/rows.ts';
import type { PointInTime } from '../model/restores/rows.ts';
import { isContinuous } from '../model/settings.ts';
import { type SnapshotRow, snapshotsOf } from '../model/snapshots/rows.ts';
import { windowDaysOf } from './changes.ts';
import { pointInTimeFaults } from './faults.ts';
import { basesOf, compare, isFarAhead, lagOf, planReplay, untilOf } from './window.ts';

const DAY_MS = 86_400_000;

/** Returns the snapshot from which a cluster can be restored to a point in time. Throws if there is none. */
export async function requireReachable(
  tx: ReadTx,
  cluster: ClusterModel,
  moment: PointInTime,
): Promise<SnapshotRow> {
  if (!can(cluster, 'snapshotFiles')) return requireBase(tx, cluster, moment);
  const { id, name } = cluster;
  const shown = shownMoment(moment);
  const row = await oplogOf(tx, id);
  if (row === undefined) throw withoutArchive(cluster, shown);
  checkWindow(tx, moment, row.facts.windowDays, name);
  checkServers(tx, moment, row, name);
  const until = untilOf(moment);
  const snapshots = await snapshotsOf(tx, id);
  const last = lastBefore(snapshots, until);
  if (last === undefined)
    throw pointInTimeFaults.UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME(name, shown);
  const plan = planReplay(row, snapshots, until);
  // Accept the request if an archive run is pending, since this run may make the point in time reachable. The restore
  // task checks the point in time after the run.
  if (plan === undefined && row.facts.asked) return last;
  if (plan === undefined) throw pointInTimeFaults.NO_CHECKPOINT_FOR_PIT_RESTORE(name, shown);
  return plan.base;
}

/**
 * Returns the last snapshot before a point in time, for a cluster whose engine archives the oplog. The engine checks
 * during the restore whether the archive reaches the point in time. It restores whole seconds only, so an
 * increment is rejected.
 */
async function requireBase(tx: ReadTx, cluster: ClusterModel, moment: PointInTime): Promise<SnapshotRow> {
  const { id, name } = cluster;
  const shown = shownMoment(moment);
  if (moment.increment !== undefined) throw generalFaults.INVALID_ATTRIBUTE('oplogTs');
  if (!isContinuous(cluster)) throw withoutArchive(cluster, shown);
  checkWindow(tx, moment, await windowDaysOf(tx, cluster), name);
  const last = lastBefore(await snapshotsOf(tx, id), untilOf(moment));
  if (last !== undefined) return last;
  throw pointInTimeFaults.UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME(name, shown);
}

/**
 * Returns the error for a cluster that has never had continuous backup. Throws if its engine cannot have it. An archive
 * from the time when it could remains usable.
 */
function withoutArchive(cluster: ClusterModel, shown: string): Error {
  assertCan(cluster, 'pointInTime');
  return pointInTimeFaults.INVALID_PIT_RESTORE_TIME(shown, cluster.name);
}

/** Throws if a point in time is in the future or before the restore window. */
function checkWindow(tx: ReadTx, moment: PointInTime, windowDays: number, name: string): void {
  const [at, now] = [moment.seconds * 1000, tx.now.getTime()];
  if (at > now || at < now - windowDays * DAY_MS)
    throw pointInTimeFaults.INVALID_PIT_RESTORE_TIME(shownMoment(moment), name);
}

/** Throws if a point in time is far ahead of the clocks of the servers. */
function checkServers(tx: ReadTx, moment: PointInTime, { facts }: OplogRow, name: string): void {
  const span = facts.spans.at(-1);
  const now = tx.now.getTime() - (span === undefined ? 0 : lagOf(span));
  if (isFarAhead(untilOf(moment), now))
    throw pointInTimeFaults.POINT_IN_TIME_NOT_REACHED_BY_SERVERS(shownMoment(moment), name, shownTime(now));
}

function lastBefore(snapshots: readonly SnapshotRow[], until: OplogPosition): SnapshotRow | undefined {
  return basesOf(snapshots).findLast(({ position }) => compare(position, until) <= 0)?.snapshot;
}

function shownMoment({ seconds, increment }: PointInTime): string {
  const date = shownTime(seconds * 1000);
  return increment === undefined ? date : `${seconds}:${increment} (${date})`;
}

const shownTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
