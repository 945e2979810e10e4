import type { ReadTx } from '../../../store/index.ts';
import type { ClusterModel } from '../../clusters/index.ts';
import type { PointInTime } from '../restores/rows.ts';
import { restoreFaults } from '../restores/rules.ts';
import { type SnapshotRow, snapshotsOf } from '../snapshots/rows.ts';
import { oplogOf } from './rows.ts';
import { basesOf, compare, untilOf, wayTo } from './window.ts';

const DAY_MS = 86_400_000;

/** The snapshot from which a cluster can be brought to a moment; throws where it cannot. */
export async function requireReachable(
  tx: ReadTx,
  { id, name }: ClusterModel,
  moment: PointInTime,
): Promise<SnapshotRow> {
  const shown = shownMoment(moment);
  const row = await oplogOf(tx, id);
  if (row === undefined) throw restoreFaults.INVALID_PIT_RESTORE_TIME(shown, name);
  const [at, now] = [moment.seconds * 1000, tx.now.getTime()];
  if (at > now || at < now - row.facts.windowDays * DAY_MS)
    throw restoreFaults.INVALID_PIT_RESTORE_TIME(shown, name);
  const until = untilOf(moment);
  const snapshots = await snapshotsOf(tx, id);
  const last = basesOf(snapshots).findLast(({ position }) => compare(position, until) <= 0);
  if (last === undefined)
    throw restoreFaults.UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME(name, shown);
  const way = wayTo(row, snapshots, until);
  // A snapshot that is new is followed by the archive, which then tells.
  if (way === undefined && row.facts.asked) return last.snapshot;
  if (way === undefined) throw restoreFaults.NO_CHECKPOINT_FOR_PIT_RESTORE(name, shown);
  return way.base;
}

function shownMoment({ seconds, increment }: PointInTime): string {
  const date = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return increment === undefined ? date : `${seconds}:${increment} (${date})`;
}
