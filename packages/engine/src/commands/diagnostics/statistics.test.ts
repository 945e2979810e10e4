import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { calculateObjectSize, type Document } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const documents = Array.from({ length: 100 }, (_, i) => ({ _id: i, x: i, text: 'x'.repeat(100) }));
const bytes = documents.reduce((sum, document) => sum + calculateObjectSize(document), 0);

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents });
  cluster.run({ create: 'empty' });
});
after(() => cluster.remove());

describe('statistics', () => {
  it('dbStats sums up the collections of a database', () => {
    const stats = cluster.run({ dbStats: 1 });
    const { db, collections, objects, dataSize, avgObjSize, indexes } = stats;
    assert.deepEqual([db, collections, objects, dataSize, indexes], ['test', 2n, 100n, bytes, 2n]);
    assert.equal(avgObjSize, bytes / 100);
    assert.equal(stats.totalSize, stats.storageSize + stats.indexSize);
  });

  it('collStats of a missing collection has only sizes and no kind', () => {
    const { ok, ...described } = cluster.run({ collStats: 'none', scale: 8 });
    const sizes = { size: 0, count: 0, numOrphanDocs: 0, storageSize: 0, totalSize: 0 };
    const indexes = { nindexes: 0, totalIndexSize: 0, indexDetails: {}, indexSizes: {} };
    assert.deepEqual([ok, described], [1, { ns: 'test.none', ...sizes, ...indexes, scaleFactor: 8 }]);
  });

  it('collStats has no details of indexes, which depend on the storage engine', () => {
    assert.deepEqual(cluster.run({ collStats: 'c' }).indexDetails, {});
  });

  it('dbStats scales sizes, but not the average', () => {
    const { dataSize, avgObjSize, scaleFactor } = cluster.run({ dbStats: 1, scale: 1024 });
    assert.deepEqual([dataSize, avgObjSize, scaleFactor], [bytes / 1024, bytes / 100, 1024n]);
    assert.equal(cluster.run({ dbStats: 1, scale: 0.5 }).code, 2);
  });

  it('dbStats reports free space only if asked for it', () => {
    const fields = ['freeStorageSize', 'indexFreeStorageSize', 'totalFreeStorageSize'];
    const free = (options: Document) => {
      const stats = cluster.run({ dbStats: 1, ...options });
      return fields.map((name) => stats[name]);
    };
    assert.deepEqual(free({ freeStorage: 1 }), [0, 0, 0]);
    assert.deepEqual(free({ freeStorage: 0 }), [undefined, undefined, undefined]);
    assert.deepEqual(free({}), [undefined, undefined, undefined]);
  });

  it('dbStats of a missing database is all zeros', () => {
    const { collections, objects, storageSize, indexSize } = cluster.run({ dbStats: 1, $db: 'none' });
    assert.deepEqual([collections, objects, storageSize, indexSize], [0n, 0n, 0, 0]);
  });

  it('collStats describes one collection', () => {
    const { ns, count, size, avgObjSize, nindexes, capped } = cluster.run({ collStats: 'c' });
    assert.deepEqual(
      { ns, count, size, avgObjSize, nindexes, capped },
      {
        ns: 'test.c',
        count: 100,
        size: bytes,
        avgObjSize: Math.floor(bytes / 100),
        nindexes: 1,
        capped: false,
      },
    );
    assert.equal(cluster.run({ collStats: 'none' }).count, 0);
  });

  it('the stages $collStats and $indexStats return the same', () => {
    const first = (stage: Document) =>
      cluster.run({ aggregate: 'c', pipeline: [stage], cursor: {} }).cursor.firstBatch[0];
    const { ns, storageStats, count } = first({ $collStats: { storageStats: {}, count: {} } });
    assert.deepEqual([ns, storageStats.size, count], ['test.c', bytes, 100]);
    assert.equal(first({ $indexStats: {} }).name, '_id_');
  });

  it('dbStats reports disk space, and limits the scale to 32 bits', () => {
    const { fsTotalSize, fsUsedSize, scaleFactor } = cluster.run({
      dbStats: 1,
      scale: Number.POSITIVE_INFINITY,
    });
    assert.ok(fsTotalSize > 0 && fsUsedSize <= fsTotalSize);
    assert.equal(Number(scaleFactor), 2 ** 31 - 1);
  });

  it('the number and average size of time series documents are omitted', () => {
    cluster.run({ create: 'series', timeseries: { timeField: 't' } });
    cluster.run({ insert: 'series', documents: [{ t: new Date(0) }] });
    const names = Object.keys(cluster.run({ collStats: 'series' }));
    assert.ok(names.includes('timeseries') && !names.includes('count') && !names.includes('avgObjSize'));
  });

  const size = (more: Document = {}) => cluster.run({ dataSize: 'test.c', ...more });

  it('dataSize measures a collection, or a range of it', () => {
    assert.deepEqual([size().size, size().numObjects, size().estimate], [BigInt(bytes), 100n, false]);
    const range = { keyPattern: { x: 1 }, min: { x: 10 }, max: { x: 50 } };
    cluster.run({ createIndexes: 'c', indexes: [{ key: { x: 1 }, name: 'x' }] });
    assert.equal(size(range).numObjects, 40n);
    assert.equal(size({ ...range, max: { x: 10 } }).numObjects, 0n);
    assert.equal(size({ min: { x: 1 } }).code, 2);
    assert.equal(cluster.run({ dataSize: 'c' }).code, 73);
  });

  it('dataSize of a range requires an index that starts with the key pattern', () => {
    const ranged = (name: string, more: Document) =>
      size({ keyPattern: { [name]: 1 }, min: { [name]: 0 }, max: { [name]: 2 }, ...more });
    cluster.run({ insert: 'd', documents: [{ _id: 1, a: 1, s: 1, p: 1, z: 1 }] });
    const index = (key: Document, more: Document = {}) => ({ key, name: JSON.stringify(key), ...more });
    const partial = { partialFilterExpression: { p: 1 } };
    const indexes = [index({ a: 1, b: 1 }), index({ s: 1 }, { sparse: true }), index({ p: 1 }, partial)];
    assert.equal(cluster.run({ createIndexes: 'd', indexes }).ok, 1);
    const d = { dataSize: 'test.d' };
    for (const name of ['_id', 'a']) assert.equal(ranged(name, d).numObjects, 1n);
    for (const name of ['b', 's', 'p', 'z']) assert.equal(ranged(name, d).code, 96, name);
    assert.equal(ranged('a', { ...d, keyPattern: { a: -1 } }).code, 96);
    assert.equal(size({ ...d, keyPattern: { z: 1 } }).numObjects, 1n);
  });

  it('each requires its privilege on its subject', () => {
    const user = { ...admin, roles: [{ role: 'read', database: 'other' }] };
    for (const command of [{ dbStats: 1 }, { collStats: 'c' }, { dataSize: 'test.c' }]) {
      assert.equal(cluster.run(command, { user }).code, 13);
    }
  });
});
