import type { OplogPosition } from '@portolan/engine/management';
import { type OplogRow, readOf, type Span } from '../model/oplog/rows.ts';
import type { PointInTime } from '../model/restores/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';

/** This file finds the snapshot and the archived span from which a point in time can be restored. */

/**
 * Greater than the increment of every oplog position. A point in time without an increment includes its whole second.
 */
const LAST_INCREMENT = 2 ** 31 - 1;
const DAY_MS = 86_400_000;

/**
 * Returns the last position that a replay includes. If the point in time has no increment, this is the end of its
 * second.
 */
export function untilOf({ seconds, increment = LAST_INCREMENT }: PointInTime): OplogPosition {
  return { seconds, increment };
}

export function compare(one: OplogPosition, other: OplogPosition): number {
  return one.seconds - other.seconds || one.increment - other.increment;
}

/** A snapshot with a known oplog position. */
interface Base {
  readonly snapshot: SnapshotRow;
  readonly position: OplogPosition;
}

/** Returns the completed snapshots with an oplog position, in oplog order. */
export function basesOf(snapshots: readonly SnapshotRow[]): Base[] {
  const bases = snapshots.flatMap((snapshot) => {
    const { position } = snapshot.facts;
    return snapshot.status === 'completed' && position !== undefined ? [{ snapshot, position }] : [];
  });
  return bases.sort((one, other) => compare(one.position, other.position));
}

/**
 * Returns the snapshots from which the entries of a span can be replayed. The oplog position of a snapshot does not
 * suffice to find them: entries after a restore can have the same positions and times as entries before it. A snapshot
 * therefore must have the position at which the span begins, or have been taken after the span began.
 */
export function basesIn(span: Span, snapshots: readonly SnapshotRow[]): Base[] {
  return basesOf(snapshots).filter(({ snapshot, position }) => {
    const order = compare(position, span.begun);
    return order === 0 || (order > 0 && snapshot.id > span.since);
  });
}

/** Whether a span includes every entry up to a position. */
function covers({ through, checked }: Span, until: OplogPosition): boolean {
  // More entries may have been added after the last check, but within the same second. The span therefore covers only
  // the seconds before it.
  return compare(until, through) <= 0 || until.seconds < secondsOf(checked);
}

/**
 * How long a restore waits until the clocks of the servers reach the point in time. Synchronized clocks differ by less
 * than a second.
 */
const LONGEST_WAIT_MS = 60_000;

/** Whether a position is more than `LONGEST_WAIT_MS` after the time `now`. */
export function isFarAhead({ seconds }: OplogPosition, now: number): boolean {
  return seconds * 1000 > now + LONGEST_WAIT_MS;
}

/** How far the clocks of the servers were behind service time when a span was read last, in milliseconds. */
export function lagOf(span: Span): number {
  return Date.parse(readOf(span)) - Date.parse(span.checked);
}

const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);

/** How to restore a point in time: the snapshot to restore, and the span to replay. */
export interface ReplayPlan {
  readonly base: SnapshotRow;
  readonly span: Span;
  /** Whether the restore must wait until the span reaches the point in time. */
  readonly waits: boolean;
}

/** Plans a restore to a position. Returns undefined if a gap or a missing snapshot prevents it. */
export function planReplay(
  { facts: { spans, ended } }: OplogRow,
  snapshots: readonly SnapshotRow[],
  until: OplogPosition,
): ReplayPlan | undefined {
  for (const span of spans) {
    if (until.seconds < secondsOf(span.started)) continue;
    const waits = !covers(span, until);
    if (waits && (span !== spans.at(-1) || ended !== undefined)) continue;
    const base = basesIn(span, snapshots).findLast(({ position }) => compare(position, until) <= 0);
    if (base !== undefined) return { base: base.snapshot, span, waits };
  }
  return undefined;
}

/**
 * Returns the position up to which the segments of a span are no longer needed. A restore to the start of the restore
 * window needs the last snapshot before that time or, if there is none, the first snapshot.
 */
export function unneededUpTo(
  span: Span,
  snapshots: readonly SnapshotRow[],
  { now, windowDays }: { readonly now: number; readonly windowDays: number },
): OplogPosition {
  const from = { seconds: Math.floor((now - windowDays * DAY_MS) / 1000), increment: 0 };
  const bases = basesIn(span, snapshots);
  const before = bases.findLast(({ position }) => compare(position, from) <= 0);
  return (before ?? bases[0])?.position ?? from;
}
