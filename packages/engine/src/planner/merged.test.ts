import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../worker/testing.ts';

let cluster: TestCluster;
let name = '';
let made = 0;

before(() => {
  cluster = new TestCluster();
});
beforeEach(() => {
  name = `c${++made}`;
});
after(() => cluster.remove());

function fill(documents: readonly Document[]): void {
  cluster.run({ createIndexes: name, indexes: [{ key: { a: 1, b: 1 }, name: 'i' }] });
  cluster.run({ insert: name, documents });
}

const filter = { a: { $in: [0, 1, 2, 3, 4] } };
const merged = () => ({ find: name, filter, sort: { b: 1 } });

/** Opens a cursor. Returns the `_id`s of the first batch, and a function that returns those of the next batch. */
function open(batchSize: number, more: Document = {}) {
  const { id, firstBatch } = cluster.run({ ...merged(), batchSize, ...more }).cursor;
  const idsOf = (documents: Document[]): number[] => documents.map(({ _id }) => _id);
  const next = () => idsOf(cluster.run({ getMore: id, collection: name }).cursor.nextBatch);
  return { first: idsOf(firstBatch), next };
}

describe('merged scans', () => {
  it('return the documents as they are at the time of each batch', () => {
    fill(Array.from({ length: 20 }, (_, _id) => ({ _id, a: _id % 5, b: _id })));
    const { first, next } = open(2);
    assert.deepEqual(first, [0, 1]);
    // The scans have already passed the next documents: 2 to 6.
    cluster.run({ delete: name, deletes: [{ q: { _id: 3 }, limit: 1 }] });
    cluster.run({ update: name, updates: [{ q: { _id: 4 }, u: { $set: { a: 9 } } }] });
    assert.deepEqual(next(), [2, ...Array.from({ length: 15 }, (_, i) => i + 5)]);
  });

  it('keep the order of long documents', () => {
    const text = 'x'.repeat(100_000);
    fill(Array.from({ length: 30 }, (_, _id) => ({ _id, a: _id % 5, b: 30 - _id, text })));
    const expected = Array.from({ length: 30 }, (_, i) => 29 - i);
    assert.deepEqual(open(1_000).first, expected);
    const { first, next } = open(7);
    assert.deepEqual([...first, ...next()], expected);
  });

  it('are at most 200, also for several alternatives together', () => {
    fill([]);
    const valuesFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
    const stageOf = (count: number) => {
      const alternatives = [0, 1_000].map((from) => ({ a: { $in: valuesFrom(from, count) } }));
      const query = { find: name, filter: { $or: alternatives }, sort: { b: 1 } };
      const { winningPlan } = cluster.run({ explain: query }).queryPlanner;
      return [winningPlan.stage, winningPlan.inputStage.stage];
    };
    assert.deepEqual(stageOf(100), ['FETCH', 'SORT_MERGE']);
    assert.deepEqual(stageOf(101), ['SORT', 'FETCH']);
  });
});
