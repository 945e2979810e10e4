import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lane } from './lane.ts';

const tasks = (owner: string | null, count: number) => Array.from({ length: count }, () => ({ owner }));

test('an owner gets a part of the free places, and further owners a part of the rest', () => {
  const lane = new Lane([], { places: 16, factor: 1 });
  const counts: number[] = [];
  for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const begun = lane.admitted(tasks(owner, 100));
    for (const task of begun) lane.begin(task);
    counts.push(begun.length);
  }
  assert.deepEqual(counts, [8, 4, 2, 1, 1, 0]);
  assert.equal(lane.free, 0);
  assert.deepEqual(lane.fullOwners(), ['a', 'b', 'c', 'd', 'e']);
  for (const task of tasks('a', 8)) lane.end(task);
  assert.deepEqual([lane.free, lane.fullOwners()], [8, []]);
  assert.equal(lane.admitted(tasks('f', 100)).length, 4);
});

test('tasks without an owner use all free places', () => {
  const lane = new Lane([], { places: 4, factor: 3 });
  assert.equal(lane.admitted(tasks('a', 100)).length, 3);
  assert.equal(lane.admitted(tasks(null, 100)).length, 4);
});
