import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outagesOf } from './survival.ts';

type Zone = Readonly<Record<string, number>>;

/** Returns a cluster whose zones have these numbers of electable nodes in their regions. */
const clusterOf = (...zones: readonly Zone[]) => ({
  replicationSpecs: zones.map((zone) => ({
    regionsConfig: Object.fromEntries(
      Object.entries(zone).map(([region, electableNodes]) => [region, { electableNodes }]),
    ),
  })),
});

const survived = (...zones: readonly Zone[]) =>
  outagesOf(clusterOf(...zones)).map(({ region, electable, all, isSurvived }) => [
    `${region} ${electable}/${all}`,
    isSurvived,
  ]);

test('an outage is survived if more than half of the electable nodes of each shard remain', () => {
  assert.deepEqual(survived({ a: 3 }), [['a 3/3', false]]);
  assert.deepEqual(survived({ a: 3, b: 1, c: 1 }), [
    ['a 3/5', false],
    ['b 1/5', true],
    ['c 1/5', true],
  ]);
  assert.deepEqual(survived({ a: 2, b: 2 }), [
    ['a 2/4', false],
    ['b 2/4', false],
  ]);
  // Nodes that cannot become primary do not count.
  assert.deepEqual(survived({ a: 3, b: 0 }), [
    ['a 3/3', false],
    ['b 0/3', true],
  ]);
  assert.deepEqual(survived({ a: 1, b: 2 }, { a: 2, b: 1 }), [
    ['a 3/6', false],
    ['b 3/6', false],
  ]);
  assert.deepEqual(survived(), []);
});
