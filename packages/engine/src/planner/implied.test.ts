import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../worker/testing.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
let cluster: TestCluster;

/** The partial filter of each index has an alternative that the other indexes lack. */
const alternatives = (i: number) => numbers(300).map((n) => ({ a: { $gt: n }, [`x${i}`]: 1 }));

before(() => {
  cluster = new TestCluster({}, { unsynced: true });
  cluster.run({ insert: 'c', documents: [{ a: 1_000 }, { a: 5, x3: 1 }] });
  const indexes = numbers(20).map((i) => ({
    key: { a: 1, [`f${i}`]: 1 },
    name: `i${i}`,
    partialFilterExpression: { $or: alternatives(i) },
  }));
  cluster.run({ createIndexes: 'c', indexes });
});
after(() => cluster.remove());

function planOf(filter: Document) {
  const { queryPlanner } = cluster.run({ explain: { find: 'c', filter }, verbosity: 'queryPlanner' });
  const { winningPlan } = queryPlanner;
  return winningPlan.inputStage?.indexName ?? winningPlan.stage;
}

/** Counts how often a statement reads the clock while it runs. */
function looksOf(command: Document): number {
  const { monotonic } = cluster.clock;
  let looks = 0;
  cluster.clock.monotonic = () => looks++ / 1_000;
  assert.equal(cluster.run(command).ok, 1);
  cluster.clock.monotonic = monotonic;
  return looks;
}

describe('the partial filters of many indexes', () => {
  it('are compared with a filter of many conditions as far as this takes little time', () => {
    const conditions = numbers(3_000).map((n) => ({ a: { $gte: n % 7 } }));
    // All pairs would be 20 × 300 × 3,000 comparisons, and the clock is read once in 512.
    assert.ok(looksOf({ find: 'c', filter: { $and: conditions } }) < 5_000);
    const each = conditions.map(({ a }, n) => ({ $and: [{ a }, { b: n }, { c: n }] }));
    assert.ok(looksOf({ find: 'c', filter: { $or: each } }) < 5_000);
  });

  it('decide which index a query can use', () => {
    assert.equal(planOf({ a: { $gt: 7 }, x3: 1 }), 'i3');
    assert.equal(planOf({ a: { $gt: 7 }, x99: 1 }), 'COLLSCAN');
    assert.equal(planOf({ a: { $gt: -1 }, x3: 1 }), 'COLLSCAN');
  });
});
