import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3].map((_id) => ({ _id, v: _id * 10 })) });
  cluster.run({ insert: 'other', documents: [{ _id: 'x', of: 2 }] });
});
afterEach(() => cluster.remove());

const run = (pipeline: Document[], more: Document = {}, options = {}) =>
  cluster.run({ aggregate: 'c', pipeline, cursor: {}, ...more }, options);
const results = (pipeline: Document[], more: Document = {}) => run(pipeline, more).cursor.firstBatch;

describe('pipelines', () => {
  it('create documents without a collection', () => {
    const reply = run([{ $documents: [{ a: 1 }] }, { $set: { b: '$a' } }], { aggregate: 1 });
    assert.deepEqual(reply.cursor, { firstBatch: [{ a: 1, b: 1 }], id: 0n, ns: 'test.$cmd.aggregate' });
    assert.equal(run([{ $documents: [] }]).code, 73);
  });

  it('read other collections, the time and the variables of let', () => {
    const lookup = { $lookup: { from: 'other', localField: '_id', foreignField: 'of', as: 'o' } };
    assert.deepEqual(results([{ $match: { _id: 2 } }, lookup]), [
      { _id: 2, v: 20, o: [{ _id: 'x', of: 2 }] },
    ]);
    const project = { $project: { _id: 0, now: '$$NOW', x: '$$x' } };
    assert.deepEqual(results([{ $limit: 1 }, project], { let: { x: { $add: [1, 2] } } }), [
      { now: new Date(cluster.clock.now()), x: 3 },
    ]);
  });

  it('replace a collection with $out', () => {
    const reply = run([{ $match: { _id: { $gt: 1 } } }, { $out: 'other' }]);
    assert.deepEqual(reply.cursor.firstBatch, []);
    assert.deepEqual(
      cluster.documents('other').map(({ _id }) => _id),
      [2, 3],
    );
    run([{ $project: { v: 1 } }, { $match: { v: 30 } }, { $out: 'c' }]);
    assert.deepEqual(cluster.documents('c'), [{ _id: 3, v: 30 }]);
  });

  it('change nothing if $out fails', () => {
    assert.equal(run([{ $project: { _id: { $literal: 1 } } }, { $out: 'other' }]).code, 11000);
    assert.deepEqual(cluster.documents('other'), [{ _id: 'x', of: 2 }]);
    const { cursor } = cluster.run({ listCollections: 1, nameOnly: true });
    assert.deepEqual(
      cursor.firstBatch.map(({ name }: Document) => name),
      ['c', 'other'],
    );
  });

  it('merge their result into a collection with $merge', () => {
    cluster.run({ insert: 'm', documents: [{ _id: 1, old: true }] });
    run([{ $match: { _id: { $lt: 3 } } }, { $merge: { into: 'm' } }]);
    assert.deepEqual(cluster.documents('m'), [
      { _id: 1, old: true, v: 10 },
      { _id: 2, v: 20 },
    ]);
  });

  it('merge by missing keys, unless the index is sparse', () => {
    cluster.run({ insert: 'm', documents: [{ _id: 1, k: null, old: true }] });
    const index = { key: { k: 1 }, name: 'k', unique: true };
    cluster.run({ createIndexes: 'm', indexes: [index] });
    const merge = { $merge: { into: 'm', on: 'k' } };
    run([{ $match: { _id: 1 } }, merge]);
    assert.deepEqual(cluster.documents('m'), [{ _id: 1, k: null, old: true, v: 10 }]);
    assert.equal(run([{ $match: { _id: 2 } }, merge]).code, 66);
    cluster.run({ dropIndexes: 'm', index: 'k' });
    cluster.run({ createIndexes: 'm', indexes: [{ ...index, sparse: true }] });
    assert.equal(run([{ $match: { _id: 1 } }, merge]).code, 51132);
  });

  it('reject $merge into views, and at some read concerns', () => {
    cluster.run({ create: 'view', viewOn: 'c', pipeline: [] });
    cluster.run({ create: 'series', timeseries: { timeField: 't' } });
    for (const into of ['view', 'series']) assert.equal(run([{ $merge: { into } }]).code, 166, into);
    assert.equal(
      run([{ $merge: { into: 'm', on: 'none' } }], { explain: true, cursor: undefined }).code,
      51183,
    );
    const readConcern = { level: 'linearizable' };
    assert.equal(run([{ $merge: { into: 'm' } }], { readConcern }).code, 72);
    assert.equal(run([{ $planCacheStats: {} }], { readConcern: { level: 'majority' } }).code, 72);
  });

  it('reject hybrid search stages on time series', () => {
    cluster.run({ create: 'series', timeseries: { timeField: 't' } });
    const fusion = { $rankFusion: { input: { pipelines: { p: [{ $sort: { a: 1 } }] } } } };
    assert.equal(cluster.run({ aggregate: 'series', pipeline: [fusion], cursor: {} }).code, 10557301);
  });

  it('require find on everything they read, and write privileges on their output', () => {
    const roles = [{ role: 'read', database: 'test', collection: 'c' }];
    const user = { ...admin, roles };
    const code = (...pipeline: Document[]) => run(pipeline, {}, { user }).code;
    const lookup = { $lookup: { from: 'other', pipeline: [], as: 'o' } };
    assert.equal(code({ $match: {} }), undefined);
    assert.equal(code(lookup), 13);
    assert.equal(code({ $facet: { f: [lookup] } }), 13);
    assert.equal(code({ $unionWith: { coll: 'c', pipeline: [lookup] } }), 13);
    assert.equal(code({ $unionWith: 'other' }), 13);
    assert.equal(code({ $out: 'c' }), 13);
    assert.equal(code({ $merge: { into: { db: 'x', coll: 'y' } } }), 13);
  });

  it('with writes run on the primary, even if sent to a secondary', () => {
    const secondary = { member: 'm1' };
    const preference = { $readPreference: { mode: 'secondary' } };
    assert.equal(run([{ $out: 'x' }], {}, secondary).code, 13435);
    assert.equal(run([{ $out: 'x' }], preference, secondary).ok, 1);
    assert.equal(run([{ $merge: 'y' }], preference, secondary).ok, 1);
    assert.deepEqual(cluster.documents('x'), cluster.documents('c'));
    assert.deepEqual(cluster.documents('y'), cluster.documents('c'));
    const mapReduce = { mapReduce: 'c', map: 'f', reduce: 'f', out: 'z', ...preference };
    assert.equal(cluster.run(mapReduce, secondary).code, 10107);
  });

  it('report the duplicate key of a $merge that inserts only', () => {
    cluster.run({ insert: 'taken', documents: [{ _id: 1 }] });
    const merge = { $merge: { into: 'taken', whenMatched: 'fail' } };
    const { code, keyPattern, keyValue, errmsg } = run([{ $match: { _id: { $in: [1, 2] } } }, merge]);
    assert.deepEqual([code, keyPattern, keyValue], [11000, { _id: 1 }, { _id: 1 }]);
    assert.match(errmsg, /same values for the 'on' fields :: caused by :: E11000 .* dup key: \{ _id: 1 \}$/);
    assert.deepEqual(
      cluster.documents('taken').map(({ _id }) => _id),
      [1, 2],
    );
  });
});

describe('the variables of let', () => {
  const filter = { $expr: { $eq: ['$_id', '$$id'] } };

  it('are visible in find, update and delete', () => {
    const { firstBatch } = cluster.run({ find: 'c', filter, let: { id: 2 } }).cursor;
    assert.deepEqual(firstBatch, [{ _id: 2, v: 20 }]);
    const update = { q: filter, u: [{ $set: { v: '$$id' } }] };
    assert.equal(cluster.run({ update: 'c', updates: [update], let: { id: 3 } }).nModified, 1);
    assert.equal(cluster.run({ delete: 'c', deletes: [{ q: filter, limit: 1 }], let: { id: 1 } }).n, 1);
    assert.deepEqual(cluster.documents('c'), [
      { _id: 2, v: 20 },
      { _id: 3, v: 3 },
    ]);
  });

  it('must have valid names', () => {
    assert.equal(cluster.run({ find: 'c', let: { Id: 2 } }).code, 9);
    const constants = { q: {}, u: { $set: { v: 1 } }, c: { x: 1 } };
    assert.equal(cluster.run({ update: 'c', updates: [constants] }).writeErrors[0].code, 51198);
  });
});

describe('$out to time series', () => {
  const out = (timeseries: Document, coll: string) =>
    cluster.run({
      aggregate: 'measured',
      pipeline: [{ $out: { db: 'test', coll, timeseries } }],
      cursor: {},
    });

  it('creates a time series, and rejects an existing collection of another kind', () => {
    cluster.run({ insert: 'measured', documents: [{ _id: 1, t: new Date(0), m: 'a' }] });
    assert.equal(out({ timeField: 't', metaField: 'm' }, 'series').ok, 1);
    assert.deepEqual(cluster.documents('series'), [{ _id: 1, t: new Date(0), m: 'a' }]);
    const [{ type }] = cluster.run({ listCollections: 1, filter: { name: 'series' } }).cursor.firstBatch;
    assert.equal(type, 'timeseries');
    assert.equal(out({ timeField: 't', metaField: 'm' }, 'series').ok, 1);
    assert.equal(out({ timeField: 't' }, 'series').code, 7406103);
    assert.equal(out({ timeField: 't' }, 'measured').code, 7268700);
    assert.equal(out({ timeField: 'x' }, 'new').code, 2);
  });
});
