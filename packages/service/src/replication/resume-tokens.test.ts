import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timestamp } from 'mongodb';
import { positionAfter, timeIn } from './resume-tokens.ts';

const time = (t: number, i: number) => new Timestamp({ t, i });
const TIME = '826553F1000000000';
/**
 * Returns the token of a high-water mark at the time (1,700,000,000, increment), in the format of the reference
 * server.
 */
const mark = (increment: number) => ({ _data: `${TIME}${increment}2B0429296E04` });
const event = (increment: number) => ({ _data: `${TIME}${increment}2B042C0100296E5A1004AA46` });

test('the position of an event is its time, and the position of a high-water mark is the time before', () => {
  assert.deepEqual(timeIn(mark(3)), time(1_700_000_000, 3));
  assert.deepEqual(positionAfter(event(3), undefined, false), time(1_700_000_000, 3));
  assert.deepEqual(positionAfter(mark(3), time(1_600_000_000, 1), false), time(1_700_000_000, 2));
  assert.deepEqual(
    positionAfter({ _data: mark(3)._data.toLowerCase() }, undefined, false),
    time(1_700_000_000, 2),
  );
});

test('on a sharded cluster, the position of an event is the time before, since other shards may share its time', () => {
  assert.deepEqual(positionAfter(event(3), undefined, true), time(1_700_000_000, 2));
  assert.deepEqual(positionAfter(mark(3), undefined, true), time(1_700_000_000, 2));
});

test('the position after changes is the time before the last one, since its transaction may have more changes', () => {
  assert.deepEqual(positionAfter(undefined, time(7, 3), false), time(7, 2));
  assert.equal(positionAfter(undefined, undefined, false), undefined);
});

test('tokens of other formats are rejected', () => {
  for (const token of [{}, { _data: '0165' }, { _data: Buffer.of(0x82) }, { _data: '82' }]) {
    assert.equal(timeIn(token), undefined);
    assert.throws(() => positionAfter(token, undefined, false), /contain no time/);
  }
});
