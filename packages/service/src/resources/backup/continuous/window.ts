import type { OplogPosition } from '@portolan/engine/management';
import type { PointInTime } from '../restores/rows.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';
import type { OplogRow, Span } from './rows.ts';

/** Where moments lie in what is archived of a cluster. */

/** Behind all entries of a second: a moment without an increment takes them in. */
const LAST_INCREMENT = 2 ** 31 - 1;
const DAY_MS = 86_400_000;

/** Up to where the oplog is done again: that counts, and of a moment without an increment the whole second. */
export function untilOf({ seconds, increment = LAST_INCREMENT }: PointInTime): OplogPosition {
  return { seconds, increment };
}

export function compare(one: OplogPosition, other: OplogPosition): number {
  return one.seconds - other.seconds || one.increment - other.increment;
}

/** A snapshot whose place in the oplog is known. */
interface Base {
  readonly snapshot: SnapshotRow;
  readonly position: OplogPosition;
}

/** Those of these snapshots that moments can be reached from, in their order in the oplog. */
export function basesOf(snapshots: readonly SnapshotRow[]): Base[] {
  const bases = snapshots.flatMap((snapshot) => {
    const { position } = snapshot.facts;
    return snapshot.status === 'completed' && position !== undefined ? [{ snapshot, position }] : [];
  });
  return bases.sort((one, other) => compare(one.position, other.position));
}

/**
 * Those that were taken of the history of a span. An older one has its place elsewhere, as a rule: a restore takes
 * place and time back to where another history had them, too.
 */
function basesIn(span: Span, snapshots: readonly SnapshotRow[]): Base[] {
  return basesOf(snapshots).filter(({ snapshot, position }) => {
    const order = compare(position, span.begun);
    return order === 0 || (order > 0 && snapshot.id > span.since);
  });
}

/** Whether all that has happened until a moment is archived. */
function covers({ through, checked }: Span, until: OplogPosition): boolean {
  // In the second in which was looked last something may have come afterwards.
  return compare(until, through) <= 0 || until.seconds < secondsOf(checked);
}

const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);

/** From where a moment is reached. */
export interface Way {
  readonly base: SnapshotRow;
  readonly span: Span;
  /** Not all of it is archived yet. */
  readonly waits: boolean;
}

/** The way to a moment; undefined where there is none: then or later there is a gap, or no snapshot before it. */
export function wayTo(
  { facts: { spans, ended } }: OplogRow,
  snapshots: readonly SnapshotRow[],
  until: OplogPosition,
): Way | undefined {
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
 * Up to where the segments of a span are needed for no moment of the window: its beginning is reached from the last
 * snapshot before it, or else from the first one there is.
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
