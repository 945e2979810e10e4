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

/** What is stored many at a time has to end as if it were stored one by one. */
describe('a batch of many documents', () => {
  it('ends where an _id is taken, unless it need not be in order', () => {
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

  it('ends where it has an _id twice, or a document that cannot be stored', () => {
    const twice = insert([...ids(50), { _id: 49 }, ...ids(50, 50)]);
    assert.deepEqual([twice.n, twice.writeErrors[0].index, twice.writeErrors[0].code], [50, 50, 11000]);
    const wrong = insert([...ids(40, 1_000), { _id: [] }, ...ids(60, 2_000)]);
    assert.deepEqual(
      [wrong.n, wrong.writeErrors[0].index, wrong.writeErrors[0].codeName],
      [40, 40, undefined],
    );
    assert.equal(stored().length, 90);
  });

  it('is written once however often it is sent', () => {
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

  it('goes on where a part of it was run before', () => {
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
    insert(ids(40), numbered);
    const again = insert(ids(100), numbered);
    assert.deepEqual([again.n, again.retriedStmtIds.length, stored().length], [100, 40, 100]);
  });

  it('keeps the numbers that its statements are given', () => {
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
    const stmtIds = ids(64).map(({ _id }) => 1_000 - _id);
    insert(ids(64), { ...numbered, stmtIds });
    assert.deepEqual(
      entries().map(({ stmtId }) => stmtId),
      stmtIds,
    );
  });

  it('keeps to unique indexes and to the rules of the collection', () => {
    const key = { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', unique: true }] };
    cluster.run(key);
    const taken = insert(ids(100).map(({ _id }) => ({ _id, a: _id % 60 })));
    assert.deepEqual([taken.n, taken.writeErrors[0].index], [60, 60]);
    cluster.run({ create: 'd', validator: { _id: { $lt: 50 } } });
    const refused = cluster.run({ insert: 'd', documents: ids(100), ordered: false });
    assert.deepEqual([refused.n, refused.writeErrors.length], [50, 50]);
  });

  it('gives each empty timestamp a time of its own', () => {
    insert(ids(64).map(({ _id }) => ({ _id, at: new Timestamp(0n) })));
    assert.equal(new Set(cluster.documents('c').map(({ at }) => String(at))).size, 64);
  });
});
