import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from './testing.ts';

const KEYS = 120_001;

/** More keys than SQLite examines in one call. */
describe('an index with many keys', () => {
  let cluster: TestCluster;
  before(() => {
    cluster = new TestCluster({}, { unsynced: true });
    const a = Array.from({ length: KEYS }, (_, i) => i);
    // A few documents with long arrays are inserted faster than many documents. Each key occurs in one document.
    const documents = Array.from({ length: 13 }, (_, _id) => ({ _id, a: a.filter((i) => i % 13 === _id) }));
    cluster.run({ insert: 'c', documents });
    cluster.run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
  });
  after(() => cluster.remove());

  /** Runs a command. Returns how often the command read the clock. */
  function looksOf(command: Document): number {
    let looks = 0;
    cluster.clock.monotonic = () => looks++ / 1_000;
    assert.equal(cluster.run(command).ok, 1);
    return looks;
  }

  it('becomes unique in pieces, and names the documents that share a key', () => {
    const change = (options: Document, collMod = 'c') => ({ collMod, index: { name: 'a', ...options } });
    cluster.run({ createIndexes: 'small', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const looks = ['c', 'small'].map((name) => {
      assert.equal(cluster.run(change({ prepareUnique: true }, name)).ok, 1);
      return looksOf({ ...change({ unique: true }, name), dryRun: true });
    });
    assert.ok(Number(looks[0]) >= Number(looks[1]) + 4, `${looks}`);
    assert.equal(cluster.run(change({ prepareUnique: false })).ok, 1);
    cluster.run({
      insert: 'c',
      documents: [
        { _id: 'first', a: 0 },
        { _id: 'last', a: KEYS - 1 },
      ],
    });
    assert.equal(cluster.run(change({ prepareUnique: true })).ok, 1);
    const { code, violations } = cluster.run(change({ unique: true }));
    assert.deepEqual([code, violations], [359, [{ ids: [0, 'first'] }, { ids: [10, 'last'] }]]);
    cluster.run({ delete: 'c', deletes: [{ q: { _id: { $in: ['first', 'last'] } }, limit: 0 }] });
  });
});

describe('keys of documents', () => {
  it('are counted in pieces', async () => {
    const cluster = new TestCluster({}, { unsynced: true });
    for (let at = 0; at < KEYS; at += 10_000) {
      const documents = Array.from({ length: Math.min(10_000, KEYS - at) }, (_, i) => ({ a: (at + i) >> 1 }));
      cluster.run({ insert: 'c', documents });
    }
    cluster.run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const count = (query: Document, more: Document = {}) => cluster.run({ count: 'c', query, ...more }).n;
    assert.equal(count({ a: { $gte: 0 } }), KEYS);
    assert.equal(count({ a: { $gte: 1 } }), KEYS - 2);
    assert.equal(count({ a: { $gte: 0 } }, { limit: 110_000 }), 110_000);
    assert.equal(count({ a: { $gte: 0 } }, { limit: 100_000 }), 100_000);
    let looks = 0;
    cluster.clock.monotonic = () => looks++ / 1_000;
    assert.equal(count({ a: { $gte: 0 } }), KEYS);
    const all = looks;
    looks = 0;
    assert.equal(count({ a: { $gte: KEYS } }), 0);
    assert.ok(all >= looks + 4, `${all}, ${looks}`);
    cluster.remove();
  });
});
