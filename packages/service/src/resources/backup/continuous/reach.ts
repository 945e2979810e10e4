import type { ReadTx } from '../../../store/index.ts';
import type { ClusterModel } from '../../clusters/index.ts';
import { oplogOf } from '../model/oplog/rows.ts';
import type { PointInTime } from '../model/restores/rows.ts';
import { type SnapshotRow, snapshotsOf } from '../model/snapshots/rows.ts';
import { pointInTimeFaults } from './faults.ts';
import { basesOf, compare, planReplay, untilOf } from './window.ts';

const DAY_MS = 86_400_000;

/** The snapshot from which a cluster can be restored to a point in time. Throws if there is none. */
export async function requireReachable(
  tx: ReadTx,
  { id, name }: ClusterModel,
  moment: PointInTime,
): Promise<SnapshotRow> {
  const shown = shownMoment(moment);
  const row = await oplogOf(tx, id);
  if (row === undefined) throw pointInTimeFaults.INVALID_PIT_RESTORE_TIME(shown, name);
  const [at, now] = [moment.seconds * 1000, tx.now.getTime()];
  if (at > now || at < now - row.facts.windowDays * DAY_MS)
    throw pointInTimeFaults.INVALID_PIT_RESTORE_TIME(shown, name);
  const until = untilOf(moment);
  const snapshots = await snapshotsOf(tx, id);
  const last = basesOf(snapshots).findLast(({ position }) => compare(position, until) <= 0);
  if (last === undefined)
    throw pointInTimeFaults.UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME(name, shown);
  const plan = planReplay(row, snapshots, until);
  // Accept the request if an archive run is pending, since this run may make the point in time reachable. The restore
  // task checks the point in time after the run.
  if (plan === undefined && row.facts.asked) return last.snapshot;
  if (plan === undefined) throw pointInTimeFaults.NO_CHECKPOINT_FOR_PIT_RESTORE(name, shown);
  return plan.base;
}

function shownMoment({ seconds, increment }: PointInTime): string {
  const date = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return increment === undefined ? date : `${seconds}:${increment} (${date})`;
}
