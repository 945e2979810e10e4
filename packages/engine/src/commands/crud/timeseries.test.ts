import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, ObjectId } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ create: 't', timeseries });
});

afterEach(() => cluster.remove());

const timeseries = { timeField: 'at', metaField: 'm' };
const BUCKETS = 'system.buckets.t';
const user = { ...admin, roles: [{ role: 'root', database: 'admin' }] };
const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 0, 1, 0, minute, second));
const insert = (...documents: Document[]) => cluster.run({ insert: 't', documents });
const buckets = (more: Document = {}): Document[] =>
  cluster.run({ find: BUCKETS, sort: { 'control.min.at': 1 }, ...more }, { user }).cursor.firstBatch;
const hash = (): unknown => cluster.run({ dbHash: 1 }, { user }).collections[BUCKETS];

describe('a time series', () => {
  it('may have documents with the same _id, and finds all of them', () => {
    const documents = [1, 2, 1, 1].map((_id, i) => ({ _id, at: at(i), m: 'a' }));
    assert.deepEqual(insert(...documents), { n: 4, ok: 1 });
    const found = (filter: Document): Document[] => cluster.run({ find: 't', filter }).cursor.firstBatch;
    assert.equal(found({ _id: 1 }).length, 3);
    assert.equal(found({ _id: { $in: [1, 2] } }).length, 4);
    const sorted: Document[] = cluster.run({ find: 't', sort: { _id: -1 } }).cursor.firstBatch;
    assert.deepEqual(
      sorted.map(({ _id }) => _id),
      [2, 1, 1, 1],
    );
    assert.equal(cluster.run({ delete: 't', deletes: [{ q: { _id: 1 }, limit: 0 }] }).n, 3);
    assert.equal(cluster.run({ find: 't', hint: '_id_' }).code, 2);
    assert.equal(cluster.run({ validate: 't' }).valid, true);
  });

  it('stores the measurements of one insertion by time, and reports errors at their place', () => {
    const found = () => cluster.run({ find: 't', projection: { _id: 1 } }).cursor.firstBatch;
    const ids = (documents: Document[]) => documents.map(({ _id }) => _id);
    insert({ _id: 5, at: at(5), m: 'a' }, { _id: 9, at: at(9), m: 'b' }, { _id: 1, at: at(1), m: 'a' });
    assert.deepEqual(ids(found()), [1, 9, 5]);
    insert({ _id: 3, at: at(3), m: 'a' }, { _id: 2, at: at(2), m: 'a' });
    assert.deepEqual(ids(found()), [1, 9, 5, 2, 3]);
    const reply = insert({ _id: 8, at: at(8), m: 'a' }, { _id: 7, m: 'a' }, { _id: 6, at: at(6), m: 'a' });
    assert.deepEqual([reply.n, reply.writeErrors[0].index], [1, 1]);
    assert.deepEqual(ids(found()), [1, 9, 5, 2, 3, 8]);
    cluster.run({ createIndexes: 't', indexes: [{ key: { v: 1 }, name: 'v' }] });
    const rejected = insert({ _id: 12, at: at(12), v: [1] }, { _id: 11, at: at(11) });
    assert.deepEqual([rejected.n, rejected.writeErrors[0].index], [0, 0]);
  });
});

describe('a measurement', () => {
  it('begins with the timeField and the metaField', () => {
    const names = () => Object.keys(cluster.run({ find: 't' }).cursor.firstBatch[0]);
    insert({ _id: 1, v: 2, m: 'a', at: at(0) });
    assert.deepEqual(names(), ['at', 'm', '_id', 'v']);
    const change = (u: Document) => cluster.run({ update: 't', updates: [{ q: {}, u, multi: true }] });
    assert.equal(change({ $unset: { m: 1 } }).nModified, 1);
    assert.equal(change({ $set: { m: 'b' } }).nModified, 1);
    assert.deepEqual(names(), ['at', 'm', '_id', 'v']);
  });
});

describe('the buckets of a time series', () => {
  it('are read in the server’s format', () => {
    const [one, two] = [new ObjectId(), new ObjectId()];
    insert(
      { _id: one, at: at(0, 30), m: { a: 1 }, v: 5, o: { x: 1, y: 9 } },
      { _id: two, at: at(0, 40), m: { a: 1 }, v: 3, o: { x: 2 } },
    );
    const [bucket, ...others] = buckets();
    assert.deepEqual(others, []);
    assert.equal(bucket?._id.getTimestamp().getTime(), at(0).getTime());
    assert.deepEqual(bucket, {
      _id: bucket?._id,
      control: {
        version: 1,
        min: { _id: one, at: at(0), v: 3, o: { x: 1, y: 9 } },
        max: { _id: two, at: at(0, 40), v: 5, o: { x: 2, y: 9 } },
      },
      meta: { a: 1 },
      data: {
        _id: { 0: one, 1: two },
        at: { 0: at(0, 30), 1: at(0, 40) },
        v: { 0: 5, 1: 3 },
        o: { 0: { x: 1, y: 9 }, 1: { x: 2 } },
      },
    });
    assert.deepEqual(buckets(), [bucket]);
  });

  it('are separated by metaField, time and number', () => {
    insert(
      { at: at(0), m: 1 },
      { at: at(1), m: 2 },
      { at: at(59), m: 1 },
      { at: at(61), m: 1 },
      { at: at(2) },
    );
    assert.deepEqual(
      buckets().map(({ meta, data }) => [meta, Object.keys(data.at).length]),
      [
        [1, 2],
        [2, 1],
        [undefined, 1],
        [1, 1],
      ],
    );
    insert(...Array.from({ length: 1500 }, () => ({ at: at(0), m: 3 })));
    assert.deepEqual(
      buckets({ filter: { meta: 3 } }).map(({ data }) => Object.keys(data.at).length),
      [1000, 500],
    );
    assert.equal(cluster.run({ count: BUCKETS }, { user }).n, 6);
    const pipeline = [{ $group: { _id: '$meta', n: { $sum: 1 } } }, { $match: { _id: 3 } }];
    const grouped = cluster.run({ aggregate: BUCKETS, pipeline, cursor: {} }, { user }).cursor.firstBatch;
    assert.deepEqual(grouped, [{ _id: 3, n: 2 }]);
  });

  it('are converted back to documents when inserted into another collection', () => {
    insert(
      { _id: 1, at: at(0), m: 1, v: 1 },
      { _id: 2, at: at(1), m: 2 },
      { _id: 1, at: at(70), m: 1, w: [1] },
    );
    const documents = buckets({ hint: { $natural: 1 }, sort: {} });
    const before = hash();
    const indexes = cluster.run({ listIndexes: 't' }).cursor.firstBatch;
    const [{ options }] = cluster.run({ listCollections: 1, filter: { name: 't' } }).cursor.firstBatch;
    cluster.run({ drop: 't' });
    assert.equal(cluster.run({ create: 't', ...options }).ok, 1);
    assert.equal(cluster.run({ createIndexes: 't', indexes }).ok, 1);
    assert.deepEqual(cluster.run({ listIndexes: 't' }).cursor.firstBatch, indexes);
    const bypassEmptyTsReplacement = true;
    const restored = cluster.run({ insert: BUCKETS, documents, bypassEmptyTsReplacement }, { user });
    assert.equal(restored.n, 3);
    assert.deepEqual(cluster.run({ find: 't', sort: { at: 1 } }).cursor.firstBatch, [
      { _id: 1, at: at(0), m: 1, v: 1 },
      { _id: 2, at: at(1), m: 2 },
      { _id: 1, at: at(70), m: 1, w: [1] },
    ]);
    assert.equal(hash(), before);
  });

  it('can be inserted in batches, as tools do', () => {
    insert(...Array.from({ length: 70 }, (_, m) => ({ at: at(0), m })));
    const documents = buckets();
    cluster.run({ drop: 't' });
    cluster.run({ create: 't', timeseries });
    assert.equal(cluster.run({ insert: BUCKETS, documents }, { user }).n, 70);
    assert.equal(cluster.run({ count: 't' }).n, 70);
  });

  it('reject invalid buckets, and change only with their documents', () => {
    insert({ at: at(0), m: 1 });
    const put = (document: Document) => cluster.run({ insert: BUCKETS, documents: [document] }, { user });
    assert.equal(put({ a: 1 }).writeErrors[0].code, 121);
    const updates = [{ q: {}, u: { $set: { meta: 2 } } }];
    assert.equal(cluster.run({ update: BUCKETS, updates }, { user }).writeErrors[0].code, 20);
    assert.equal(cluster.run({ collMod: BUCKETS, validationLevel: 'off' }, { user }).code, 20);
    assert.equal(cluster.run({ drop: BUCKETS }, { user }).ok, 1);
    assert.deepEqual(
      cluster
        .run({ listCollections: 1 }, { user })
        .cursor.firstBatch.map(({ name }: Document) => name)
        .filter((name: string) => name !== 'system.views'),
      [],
    );
  });
});
