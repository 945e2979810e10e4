import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Long, Timestamp, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});

afterEach(() => cluster.remove());

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, i) => ({ _id: from + i }));
const insert = (documents: readonly Document[], more: Document = {}) =>
  cluster.run({ insert: 'c', documents, ...more });
const stored = () => cluster.documents('c').map(({ _id }) => _id);
const entries = (): Document[] =>
  cluster.run({ find: 'oplog.rs', filter: { op: 'i' }, $db: 'local', batchSize: 100_000 }).cursor.firstBatch;

/**
 * The engine inserts a batch of documents in one SQLite statement. The result must be the same as with individual
 * inserts.
 */
describe('a batch of many documents', () => {
  it('stops at an existing _id, unless unordered', () => {
    insert([{ _id: 70 }]);
    const ordered = insert(ids(100));
    assert.deepEqual([ordered.n, ordered.writeErrors[0].index, ordered.writeErrors.length], [70, 70, 1]);
    assert.deepEqual(stored(), [70, ...ids(70).map(({ _id }) => _id)]);
    const unordered = insert(ids(200), { ordered: false });
    assert.equal(unordered.n, 129);
    assert.deepEqual(
      unordered.writeErrors.map(({ index }: Document) => index),
      ids(71).map(({ _id }) => _id),
    );
    assert.equal(stored().length, 200);
    assert.deepEqual(
      entries().map(({ o }) => o._id),
      stored(),
    );
  });

  it('stops at a repeated _id, or at an invalid document', () => {
    const twice = insert([...ids(50), { _id: 49 }, ...ids(50, 50)]);
    assert.deepEqual([twice.n, twice.writeErrors[0].index, twice.writeErrors[0].code], [50, 50, 11000]);
    const wrong = insert([...ids(40, 1_000), { _id: [] }, ...ids(60, 2_000)]);
    assert.deepEqual(
      [wrong.n, wrong.writeErrors[0].index, wrong.writeErrors[0].codeName],
      [40, 40, undefined],
    );
    assert.equal(stored().length, 90);
  });

  it('is applied once, however often it is sent', () => {
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
    assert.equal(insert(ids(100), numbered).n, 100);
    assert.deepEqual(
      entries().map(({ stmtId }) => stmtId),
      ids(100).map(({ _id }) => _id),
    );
    cluster.reopen();
    const again = insert(ids(100), numbered);
    assert.equal(again.n, 100);
    assert.deepEqual(
      again.retriedStmtIds,
      ids(100).map(({ _id }) => _id),
    );
    assert.equal(entries().length, 100);
  });

  it('continues after a part that has run before', () => {
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
    insert(ids(40), numbered);
    const again = insert(ids(100), numbered);
    assert.deepEqual([again.n, again.retriedStmtIds.length, stored().length], [100, 40, 100]);
  });

  it('uses the given statement ids', () => {
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
    const stmtIds = ids(64).map(({ _id }) => 1_000 - _id);
    insert(ids(64), { ...numbered, stmtIds });
    assert.deepEqual(
      entries().map(({ stmtId }) => stmtId),
      stmtIds,
    );
  });

  it('respects unique indexes and validators', () => {
    const key = { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', unique: true }] };
    cluster.run(key);
    const taken = insert(ids(100).map(({ _id }) => ({ _id, a: _id % 60 })));
    assert.deepEqual([taken.n, taken.writeErrors[0].index], [60, 60]);
    cluster.run({ create: 'd', validator: { _id: { $lt: 50 } } });
    const rejected = cluster.run({ insert: 'd', documents: ids(100), ordered: false });
    assert.deepEqual([rejected.n, rejected.writeErrors.length], [50, 50]);
  });

  it('sets each empty timestamp to a time of its own', () => {
    insert(ids(64).map(({ _id }) => ({ _id, at: new Timestamp(0n) })));
    assert.equal(new Set(cluster.documents('c').map(({ at }) => String(at))).size, 64);
  });
});
