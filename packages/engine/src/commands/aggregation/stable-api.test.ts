import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ create: 'c' });
});
after(() => cluster.remove());

const strict = { apiVersion: '1', apiStrict: true };
const aggregate = (pipeline: Document[], more: Document = {}) =>
  cluster.run({ aggregate: 'c', pipeline, cursor: {}, ...strict, ...more });

describe('with apiStrict', () => {
  const refused: Array<[string, Document[]]> = [
    ['$currentOp, before its database is checked', [{ $currentOp: {} }]],
    ['$indexStats', [{ $indexStats: {} }]],
    ['$listLocalSessions', [{ $listLocalSessions: {} }]],
    ['$planCacheStats', [{ $planCacheStats: {} }]],
    ['$search', [{ $search: {} }]],
    ['$collStats with latencies', [{ $collStats: { count: {}, latencyStats: {} } }]],
    [
      '$collStats inside of another stage',
      [{ $unionWith: { coll: 'c', pipeline: [{ $collStats: { storageStats: {} } }] } }],
    ],
  ];
  for (const [what, pipeline] of refused) {
    it(`aggregate rejects ${what}`, () => assert.equal(aggregate(pipeline).code, 323));
  }

  it('aggregate counts with $collStats, and rejects what is outside the API', () => {
    cluster.run({ insert: 'c', documents: [{}] });
    assert.equal(aggregate([{ $collStats: { count: {} } }]).cursor.firstBatch[0].count, 1);
    assert.equal(aggregate([], { explain: true }).code, 323);
  });

  it('explain and create reject unstable stages in their pipelines', () => {
    const pipeline = [{ $indexStats: {} }];
    const explain = (inner: Document) =>
      cluster.run({ explain: inner, verbosity: 'queryPlanner', ...strict });
    assert.equal(explain({ aggregate: 'c', pipeline, cursor: {} }).code, 323);
    assert.equal(explain({ aggregate: 'c', pipeline: [], cursor: {} }).ok, 1);
    assert.equal(explain({ find: 'c' }).ok, 1);
    assert.equal(cluster.run({ create: 'v', viewOn: 'c', pipeline, ...strict }).code, 323);
    assert.equal(cluster.run({ create: 'v', viewOn: 'c', pipeline: [{ $match: {} }], ...strict }).ok, 1);
  });

  it('text indexes are neither created nor used, and search metadata is rejected', () => {
    const index = { key: { t: 'text' }, name: 'words' };
    const create = { createIndexes: 'words', indexes: [index] };
    assert.equal(cluster.run({ ...create, ...strict }).code, 323);
    assert.equal(cluster.run(create).ok, 1);
    assert.equal(cluster.run({ ...create, indexes: [{ key: { n: 1 }, name: 'n_1' }], ...strict }).ok, 1);
    const find = { find: 'words', filter: { $text: { $search: 'boat' } } };
    assert.equal(cluster.run(find).ok, 1);
    assert.equal(cluster.run({ ...find, ...strict }).code, 291);
    const projecting = (meta: string) =>
      cluster.run({ find: 'words', projection: { m: { $meta: meta } }, ...strict });
    assert.equal(projecting('textScore').code, 323);
    assert.equal(projecting('recordId').ok, 1);
    assert.equal(aggregate([{ $set: { m: { $meta: 'indexKey' } } }]).code, 323);
    const stored = { q: { $expr: { $eq: [{ $meta: 'searchScore' }, 1] } }, limit: 1 };
    assert.equal(cluster.run({ delete: 'c', deletes: [stored], ...strict }).writeErrors[0].code, 323);
  });

  it('sparse indexes are not used', () => {
    const indexes = [{ key: { s: 1 }, name: 'sparse', sparse: true }];
    assert.equal(cluster.run({ createIndexes: 'sparse', indexes }).ok, 1);
    const find = { find: 'sparse', filter: { s: 1 } };
    const plan = (more: Document) =>
      cluster.run({ explain: find, verbosity: 'queryPlanner', ...more }).queryPlanner.winningPlan.stage;
    assert.deepEqual([plan({}), plan(strict)], ['FETCH', 'COLLSCAN']);
    for (const hint of ['sparse', { s: 1 }]) {
      assert.equal(cluster.run({ ...find, hint }).ok, 1);
      assert.equal(cluster.run({ ...find, hint, ...strict }).code, 2);
    }
    cluster.run({ insert: 'sparse', documents: [{ s: 1 }, { t: 1 }] });
    const found = cluster.run({ find: 'sparse', sort: { s: 1 }, ...strict });
    assert.equal(found.cursor.firstBatch.length, 2);
  });

  it('collMod cannot convert an index to unique', () => {
    cluster.run({ createIndexes: 'made', indexes: [{ key: { n: 1 }, name: 'n_1' }] });
    const modify = (index: Document, more: Document = {}) =>
      cluster.run({ collMod: 'made', index: { name: 'n_1', ...index }, ...strict, ...more });
    assert.equal(modify({ prepareUnique: true }).code, 323);
    assert.equal(modify({ unique: true }).code, 323);
    assert.equal(modify({ hidden: true }, { dryRun: true }).code, 323);
    assert.equal(modify({ hidden: true }).ok, 1);
    assert.equal(modify({ prepareUnique: true }, { apiStrict: false }).ok, 1);
  });

  it('find and create reject what is outside the API', () => {
    assert.equal(cluster.run({ find: 'c', showRecordId: true, ...strict }).code, 323);
    assert.equal(cluster.run({ find: 'c', hint: { _id: 1 }, ...strict }).ok, 1);
    assert.equal(cluster.run({ create: 'd', capped: true, size: 1, ...strict }).code, 323);
  });
});

describe('aggregate', () => {
  it('accepts only booleans for allowDiskUse', () => {
    for (const allowDiskUse of [null, 0, 1]) {
      assert.equal(cluster.run({ aggregate: 'c', pipeline: [], cursor: {}, allowDiskUse }).code, 14);
    }
  });
});
