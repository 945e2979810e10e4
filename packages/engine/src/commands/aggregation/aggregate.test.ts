import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: Array.from({ length: 300 }, (_, i) => ({ _id: i, x: i % 4 })) });
});
after(() => cluster.remove());

const aggregate = (pipeline: Document[], more: Document = {}) =>
  cluster.run({ aggregate: 'c', pipeline, cursor: {}, ...more });

describe('aggregate', () => {
  it('runs a pipeline on a collection', () => {
    const { cursor } = aggregate([
      { $match: { _id: { $gte: 290 }, x: 1 } },
      { $sort: { _id: -1 } },
      { $limit: 2 },
      { $project: { x: 0 } },
    ]);
    assert.deepEqual(cursor, { firstBatch: [{ _id: 297 }, { _id: 293 }], id: 0n, ns: 'test.c' });
  });

  it('answers the pipeline that drivers use to count documents', () => {
    const pipeline = [{ $match: { x: 2 } }, { $group: { _id: 1, n: { $sum: 1 } } }];
    assert.deepEqual(aggregate(pipeline).cursor.firstBatch, [{ _id: 1, n: 75 }]);
  });

  it('returns batches', () => {
    const first = aggregate([{ $match: {} }], { cursor: { batchSize: 200 } }).cursor;
    assert.equal(first.firstBatch.length, 200);
    const next = cluster.run({ getMore: first.id, collection: 'c' }).cursor;
    assert.deepEqual([next.nextBatch.length, next.id, next.nextBatch[0]._id], [100, 0n, 200]);
  });

  it('returns nothing for a missing collection', () => {
    const reply = cluster.run({ aggregate: 'nowhere', pipeline: [], cursor: {} });
    assert.deepEqual(reply.cursor, { firstBatch: [], id: 0n, ns: 'test.nowhere' });
  });

  const refused: Array<[string, Document, number]> = [
    ['no cursor option', { pipeline: [] }, 9],
    ['a cursor option of another type', { pipeline: [], cursor: null }, 14],
    ['unknown fields of the cursor option', { pipeline: [], cursor: { x: 1 } }, 40415],
    ['a negative batch size', { pipeline: [], cursor: { batchSize: -1 } }, 2],
    ['a pipeline of another type', { pipeline: {}, cursor: {} }, 14],
    ['stages of another type', { pipeline: [1], cursor: {} }, 14],
    ['an unknown stage', { pipeline: [{ $frob: {} }], cursor: {} }, 40324],
    ['a database without a stage', { aggregate: 1, pipeline: [], cursor: {} }, 73],
    ['a collection stage on a database', { aggregate: 1, pipeline: [{ $match: {} }], cursor: {} }, 73],
    ['another number for a collection', { aggregate: 2, pipeline: [], cursor: {} }, 2],
    ['another type for a collection', { aggregate: true, pipeline: [], cursor: {} }, 73],
  ];
  for (const [what, command, code] of refused) {
    it(`rejects ${what}`, () => {
      assert.equal(cluster.run({ aggregate: 'c', ...command }).code, code);
    });
  }
});
