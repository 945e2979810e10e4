import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changesIn,
  emptyLog,
  outcomeOf,
  primaryText,
  type Read,
  readsText,
  restarted,
  windowOf,
  withPrimaries,
  withRead,
} from './read-log.ts';

const SPACING_MS = 500;
const timeOf = (at: number) => `${at} ms`;

/** Reads that begin every half second: for each, how long it took, and whether it failed. */
function readsOf(...outcomes: readonly (readonly [ms: number, isFailed?: boolean])[]): readonly Read[] {
  return outcomes.map(([ms, isFailed], index) => ({
    start: index * SPACING_MS,
    end: index * SPACING_MS + ms,
    ...(isFailed ? { error: 'The cluster has no primary.' } : {}),
  }));
}

test('without failed reads, the slowest read is named', () => {
  assert.equal(readsText([]), 'The first read has not ended.');
  assert.equal(readsText(readsOf([8])), 'None of 1 read failed. The slowest read took 8 ms.');
  const reads = readsOf([8], [1240], [9]);
  assert.equal(outcomeOf(reads), 'undisturbed');
  assert.equal(readsText(reads), 'None of 3 reads failed. The slowest read took 1.2 s.');
});

test('a failed period lasts from its first failed read to the end of the next successful read', () => {
  const failing = readsOf([10], [10, true], [20, true]);
  assert.equal(outcomeOf(failing), 'failing');
  assert.equal(readsText(failing), 'Reads fail, so far for 520 ms: The cluster has no primary.');
  const twice = readsOf([10], [10, true], [20], [10, true], [10, true], [30]);
  assert.equal(outcomeOf(twice), 'recovered');
  assert.equal(
    readsText(twice),
    'Reads failed for 1.6 s, and succeed again. 3 of 6 reads failed. The slowest successful read took 30 ms.',
  );
});

test('the primaries are named with the time of the last change', () => {
  assert.equal(primaryText(emptyLog, timeOf), '');
  const first = withPrimaries(emptyLog, ['a'], 1);
  assert.equal(withPrimaries(first, ['a'], 2), first);
  assert.equal(primaryText(first, timeOf), 'Primary: a.');
  const none = withPrimaries(first, [], 2);
  assert.equal(primaryText(none, timeOf), 'No member is primary now.');
  const second = withPrimaries(none, ['b'], 3);
  assert.equal(primaryText(second, timeOf), 'Primary since 3 ms: b; before: a.');
  assert.deepEqual(changesIn(second), [2, 3]);
  const shards = withPrimaries(withPrimaries(emptyLog, ['a', 'c'], 1), ['b', 'c'], 2);
  assert.equal(primaryText(shards, timeOf), 'Primary since 2 ms: b, c; before: a, c.');
});

test('a new observation starts with the present primary and without reads', () => {
  const log = withPrimaries(withPrimaries(emptyLog, ['a'], 1), ['b'], 2);
  const again = restarted(withRead(log, { start: 0, end: 1 }));
  assert.deepEqual(again, { reads: [], primaries: [{ since: 2, names: ['b'] }] });
  assert.equal(primaryText(again, timeOf), 'Primary: b.');
});

test('the chart shows a minute, and moves on by half a minute', () => {
  const until = (end: number): readonly Read[] => [
    { start: 1000, end: 1010 },
    { start: end - 10, end },
  ];
  assert.deepEqual(windowOf(until(2000)), [1000, 61_000]);
  assert.deepEqual(windowOf(until(61_000)), [1000, 61_000]);
  assert.deepEqual(windowOf(until(61_001)), [31_000, 91_000]);
  assert.deepEqual(windowOf(until(100_000)), [61_000, 121_000]);
});
