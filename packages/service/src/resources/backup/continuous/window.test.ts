import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OplogRow, Span } from '../model/oplog/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { planReplay, unneededUpTo, untilOf } from './window.ts';

const date = (seconds: number) => new Date(seconds * 1000).toISOString();
const mark = (seconds: number) => ({ seconds, increment: 1, digest: `of ${seconds}` });

function snapshot(id: string, seconds: number, status: SnapshotRow['status'] = 'completed'): SnapshotRow {
  const position = { seconds, increment: 1 };
  return { id, status, facts: { position } } as unknown as SnapshotRow;
}

function span(id: string, from: number, through: number, more: Partial<Span> = {}): Span {
  const times = { started: date(from), checked: date(through) };
  return { id, begun: mark(from), through: mark(through), since: '', ...times, ...more };
}

const archive = (spans: readonly Span[], ended?: string) =>
  ({ facts: { spans, windowDays: 7, ...(ended === undefined ? {} : { ended }) } }) as unknown as OplogRow;

function planOf(row: OplogRow, snapshots: readonly SnapshotRow[], seconds: number) {
  const found = planReplay(row, snapshots, untilOf({ seconds }));
  return found && [found.base.id, found.span.id, found.waits];
}

suite('the replay plan of a point in time', () => {
  const snapshots = [snapshot('a', 110), snapshot('b', 150), snapshot('c', 170, 'failed')];

  test('begins with the last snapshot before the point in time, and waits for missing entries', () => {
    const row = archive([span('1', 100, 200)]);
    assert.deepEqual(planOf(row, snapshots, 149), ['a', '1', false]);
    assert.deepEqual(planOf(row, snapshots, 180), ['b', '1', false]);
    // Entries may have been added in this second after the last check, so the restore must wait.
    assert.deepEqual(planOf(row, snapshots, 200), ['b', '1', true]);
    assert.deepEqual(planOf(row, snapshots, 900), ['b', '1', true]);
    assert.equal(planOf(row, snapshots, 105), undefined);
    assert.equal(planOf(row, snapshots, 99), undefined);
  });

  test('does not exist across a gap, or after the end of the archive of a removed cluster', () => {
    const row = archive([span('1', 100, 200), span('2', 300, 400)]);
    assert.deepEqual(planOf(row, snapshots, 199), ['b', '1', false]);
    assert.equal(planOf(row, snapshots, 250), undefined);
    assert.equal(planOf(row, snapshots, 350), undefined);
    const later = [...snapshots, snapshot('d', 320)];
    assert.deepEqual(planOf(row, later, 350), ['d', '2', false]);
    assert.equal(planOf(archive([span('1', 100, 200)], date(210)), snapshots, 205), undefined);
  });

  test('uses only snapshots in the history of its span after a restore', () => {
    // The snapshot at 110 was restored at 250, so the entries between 110 and 250 are not part of its history.
    const after = span('2', 110, 300, { started: date(250), since: 'b' });
    const row = archive([span('1', 100, 240), after]);
    assert.deepEqual(planOf(row, snapshots, 180), ['b', '1', false]);
    assert.deepEqual(planOf(row, snapshots, 260), ['a', '2', false]);
    assert.equal(planOf(row, snapshots, 245), undefined);
  });
});

test('segments are needed from the last snapshot before the restore window, or from the first snapshot', () => {
  const DAY_S = 86_400;
  const whole = span('1', 0, 20 * DAY_S);
  const [old, young] = [snapshot('a', 5 * DAY_S), snapshot('b', 15 * DAY_S)];
  const upTo = (snapshots: readonly SnapshotRow[]) =>
    unneededUpTo(whole, snapshots, { now: 20 * DAY_S * 1000, windowDays: 7 }).seconds / DAY_S;
  assert.deepEqual([upTo([old, young]), upTo([young]), upTo([])], [5, 15, 13]);
});
