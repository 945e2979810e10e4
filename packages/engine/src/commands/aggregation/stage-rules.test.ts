import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const run = (pipeline: readonly Document[], on: string | number = 'c') =>
  cluster.run({ aggregate: on, pipeline, cursor: {} });

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{ _id: 1, a: 1, loc: [0, 0] }] });
  cluster.run({ insert: 'target', documents: [{ _id: 1 }] });
  cluster.run({ createIndexes: 'c', indexes: [{ key: { loc: '2d' }, name: 'loc' }] });
  cluster.run({ create: 'view', viewOn: 'c', pipeline: [] });
  cluster.run({ create: 'capped', capped: true, size: 4096 });
  cluster.run({ create: 'series', timeseries: { timeField: 't' } });
});
after(() => cluster.remove());

const merge = (whenMatched: Document[]) => [{ $merge: { into: 'target', whenMatched } }];
const stats = (name: string) => [{ $collStats: { [name]: {} } }];
const catalog = [{ $listClusterCatalog: {} }];
const query = (more: Document) => [{ $geoNear: { near: [0, 0], distanceField: 'd', ...more } }];

const refused: ReadonlyArray<readonly [pipeline: Document[], code: number, on?: string]> = [
  [[{ $match: {} }, { $changeStream: {} }], 40602],
  [[{ $facet: { f: [{ $changeStream: {} }] } }], 40600],
  [[{ $lookup: { from: 'c', pipeline: [{ $changeStream: {} }], as: 'x' } }], 51047],
  [[{ $facet: { f: catalog } }], 9621301],
  [[{ $lookup: { from: 'c', pipeline: catalog, as: 'x' } }], 9621301],
  [[{ $unionWith: { coll: 'c', pipeline: catalog } }], 9621301],
  [[{ $lookup: { from: 'c', pipeline: null, as: 'x' } }], 14],
  [[{ $unionWith: { coll: 'c', pipeline: null } }], 14],
  [[{ $match: { loc: { $geoNear: { near: [0, 0] } } } }], 5626500],
  [query({ query: { $text: { $search: 'x' } } }), 2],
  [query({ query: { $or: [{ $text: { $search: 'x' } }] } }), 2],
  [[{ $geoNear: [1, 2] }], 5860400],
  [[{ $geoNear: { distanceField: 1 } }], 5860400],
  [[{ $group: { _id: { $no: 1 }, x: { $no: 1 } } }], 168],
  [[{ $bucket: { groupBy: '$a', boundaries: [0, 10], output: { _id: { $sum: 1 } } } }], 15948],
  [[{ $bucket: { boundaries: [0, 10], output: { x: { $no: 1 } } } }], 40198],
  [merge([{ $match: {} }]), 72],
  [merge([{ $group: { _id: null } }]), 72],
  [[{ $out: 'capped' }], 17152],
  [[{ $out: { db: 'test', coll: 'view', timeseries: { timeField: 't' } } }], 7268700],
  [stats('storageStats'), 26, 'nothing'],
  [stats('queryExecStats'), 26, 'nothing'],
  [stats('queryExecStats'), 166, 'view'],
  [[{ $planCacheStats: {} }], 40602, 'series'],
  [[{ $changeStream: {} }], 166, 'series'],
];

describe('stages are rejected', () => {
  for (const [pipeline, code, on] of refused) {
    it(`${inspect(pipeline, { depth: 6, breakLength: 200 })} on ${on ?? 'c'}: ${code}`, () => {
      assert.equal(run(pipeline, on).code, code);
    });
  }

  it('in explain, for change streams that cannot be opened', () => {
    for (const name of ['view', 'series']) {
      const aggregate = { aggregate: name, pipeline: [{ $changeStream: {} }], cursor: {} };
      assert.equal(cluster.run({ explain: aggregate }).code, 166);
    }
  });

  it('by the stable API, for a change stream with expanded events', () => {
    const $changeStream = { showExpandedEvents: false };
    const stable = { apiVersion: '1', apiStrict: true };
    const { code } = cluster.run({ aggregate: 'c', pipeline: [{ $changeStream }], cursor: {}, ...stable });
    assert.equal(code, 323);
  });
});

it('$fill with values is valid in updates and change streams, with a method it is not', () => {
  const values = { $fill: { output: { y: { value: 42 } } } };
  const method = { $fill: { sortBy: { a: 1 }, output: { y: { method: 'linear' } } } };
  cluster.run({ insert: 'filled', documents: [{ _id: 1 }] });
  const update = (stage: Document) => cluster.run({ update: 'filled', updates: [{ q: {}, u: [stage] }] });
  assert.equal(update(values).nModified, 1);
  assert.equal(update(method).ok === 0 || update(method).writeErrors[0].code === 72, true);
  assert.equal(run([{ $changeStream: {} }, values]).ok, 1);
  assert.equal(run([{ $changeStream: {} }, method]).code, 20);
  assert.equal(run(merge([method])).code, 72);
  assert.equal(run(merge([values])).ok, 1);
});

it('$avg of integers is exact in a group, and in doubles in an expression', () => {
  const v = [2n ** 63n - 1n, -(2n ** 63n)];
  cluster.run({ insert: 'whole', documents: v.map((each) => ({ v: each })) });
  const [found] = run([{ $group: { _id: null, average: { $avg: '$v' } } }], 'whole').cursor.firstBatch;
  assert.equal(found.average, -0.5);
  const [same] = run([{ $limit: 1 }, { $project: { average: { $avg: [v] } } }], 'whole').cursor.firstBatch;
  assert.equal(same.average, 0);
});

it('an update pipeline without matched merges is not compiled', () => {
  assert.equal(run([{ $match: { _id: 'none' } }, ...merge([{ $sort: { a: 1 } }])]).ok, 1);
});

it('a sort by metadata is descending and does not count towards the limit of 32 fields', () => {
  cluster.run({
    insert: 'far',
    documents: [
      { _id: 1, loc: [1, 0] },
      { _id: 2, loc: [2, 0] },
    ],
  });
  cluster.run({ createIndexes: 'far', indexes: [{ key: { loc: '2d' }, name: 'loc' }] });
  const near = { $geoNear: { near: [0, 0] } };
  const found = run([near, { $sort: { d: { $meta: 'geoNearDistance' } } }], 'far');
  assert.deepEqual(
    found.cursor.firstBatch.map(({ _id }: Document) => _id),
    [2, 1],
  );
  const fields = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`f${i}`, 1]));
  assert.equal(run([{ $sort: { ...fields, m: { $meta: 'randVal' } } }]).ok, 1);
  assert.equal(run([{ $sort: { ...fields, more: 1 } }]).code, 13103);
});

it('an array is one value, not a list of arguments, for window functions', () => {
  const output = {
    set: { $addToSet: ['$a', 2] },
    sum: { $sum: ['$a', 2] },
    deviation: { $stdDevSamp: ['$a', 2] },
  };
  const [found] = run([{ $setWindowFields: { output } }]).cursor.firstBatch;
  assert.deepEqual([found.set, found.sum, found.deviation], [[[1, 2]], 0, null]);
});

it('latency histograms count by duration', () => {
  cluster.run({ insert: 'timed', documents: [{ _id: 1 }] });
  const [found] = run([{ $collStats: { latencyStats: { histograms: true } } }], 'timed').cursor.firstBatch;
  const { writes } = found.latencyStats;
  const counts = writes.histogram.map(({ count }: Document) => Number(count));
  assert.equal(
    counts.reduce((sum: number, count: number) => sum + count, 0),
    Number(writes.ops),
  );
});
