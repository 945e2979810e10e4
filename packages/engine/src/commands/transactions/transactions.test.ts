import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import type { TestCluster } from '../../worker/testing.ts';
import { clusterWithDocuments, ids, increment, insert, remove, Session } from './testing-transactions.ts';

let cluster: TestCluster;
let one: Session;
let two: Session;

beforeEach(() => {
  cluster = clusterWithDocuments();
  one = new Session(cluster);
  two = new Session(cluster);
});

afterEach(() => cluster.remove());

describe('a transaction', () => {
  it('sees its own writes, which others see after the commit', () => {
    one.begin().run(insert(4));
    assert.deepEqual(one.run(increment(1)), { n: 1, nModified: 1, ok: 1 });
    one.run(remove(2));
    assert.deepEqual(one.documents(), [{ _id: 1, n: 1 }, { _id: 3, n: 0 }, { _id: 4 }]);
    assert.deepEqual(ids(cluster.documents('c')), [1, 2, 3]);
    assert.deepEqual(one.commit(), { ok: 1 });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, n: 1 }, { _id: 3, n: 0 }, { _id: 4 }]);
  });

  it('has no effect after an abort', () => {
    one.begin().run(insert(4));
    assert.deepEqual(one.abort(), { ok: 1 });
    assert.deepEqual(ids(cluster.documents('c')), [1, 2, 3]);
    assert.equal(one.commit().code, 251);
  });

  it('reads the state at its start', () => {
    assert.equal(one.begin().documents().length, 3);
    cluster.run(insert(4));
    cluster.run(increment(1));
    cluster.run(remove(2));
    assert.deepEqual(
      one.documents(),
      [1, 2, 3].map((_id) => ({ _id, n: 0 })),
    );
    one.commit();
    assert.deepEqual(ids(cluster.documents('c')), [1, 3, 4]);
  });

  it('keeps documents in insertion order', () => {
    one.begin().run(increment(2));
    one.run(insert(0));
    assert.deepEqual(ids(one.documents()), [1, 2, 3, 0]);
    assert.deepEqual(ids(one.documents({}, { sort: { $natural: -1 } })), [0, 3, 2, 1]);
    assert.deepEqual(ids(one.documents({ _id: { $gte: 0, $lt: 3 } })), [0, 1, 2]);
    assert.deepEqual(ids(one.documents({}, { sort: { _id: -1 } })), [3, 2, 1, 0]);
    assert.deepEqual(ids(one.documents({ _id: { $in: [0, 2, 9] } })), [0, 2]);
  });

  it('updates each document once, however many it has updated before', () => {
    one.begin().run(increment(1));
    const all = { update: 'c', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] };
    assert.equal(one.run(all).nModified, 3);
    assert.deepEqual(
      one.documents().map(({ n }) => n),
      [2, 1, 1],
    );
    one.run(remove(1));
    one.run(insert(1));
    one.commit();
    assert.deepEqual(ids(cluster.documents('c')), [2, 3, 1]);
  });

  it('detects duplicates among visible documents', () => {
    assert.equal(one.begin().run(insert(1)).writeErrors[0].code, 11000);
    assert.equal(one.run(insert(9)).code, 251);
    two.begin().run(insert(4));
    assert.equal(two.run(insert(4)).writeErrors[0].code, 11000);
  });

  it('creates collections', () => {
    assert.equal(one.begin().run({ create: 'made' }).ok, 1);
    one.run({ insert: 'other', documents: [{ _id: 1 }] });
    assert.deepEqual(cluster.run({ listCollections: 1, nameOnly: true }).cursor.firstBatch.length, 1);
    one.commit();
    assert.deepEqual(
      cluster.run({ listCollections: 1, nameOnly: true }).cursor.firstBatch.map(({ name }: Document) => name),
      ['c', 'made', 'other'],
    );
  });

  it('reads its own writes by index', () => {
    cluster.run({ createIndexes: 'c', indexes: [{ key: { n: 1 }, name: 'n' }] });
    one.begin().run(increment(2));
    assert.deepEqual(ids(one.documents({ n: { $gt: 0 } })), [2]);
    assert.deepEqual(ids(one.documents({ n: 0 })), [1, 3]);
    assert.deepEqual(ids(one.documents({}, { sort: { n: -1 }, hint: 'n' }))[0], 2);
  });

  it('enforces unique indexes', () => {
    cluster.run({ createIndexes: 'u', indexes: [{ key: { k: 1 }, name: 'k', unique: true }] });
    cluster.run({
      insert: 'u',
      documents: [
        { _id: 1, k: 1 },
        { _id: 2, k: 2 },
      ],
    });
    const put = (_id: number, k: number) => ({ insert: 'u', documents: [{ _id, k }] });
    assert.equal(one.begin().run(put(3, 1)).writeErrors[0].code, 11000);
    one.begin().run({ delete: 'u', deletes: [{ q: { _id: 1 }, limit: 1 }] });
    assert.deepEqual(one.run(put(3, 1)), { n: 1, ok: 1 });
    assert.equal(two.begin().run(put(4, 1)).code, 112);
    assert.equal(one.run(put(5, 1)).writeErrors[0].code, 11000);
  });

  it('conflicts at commit if another write has used a unique key', () => {
    cluster.run({ createIndexes: 'u', indexes: [{ key: { k: 1 }, name: 'k', unique: true }] });
    const put = (_id: number) => ({ insert: 'u', documents: [{ _id, k: 1 }] });
    one.begin().run(put(1));
    cluster.run(put(2));
    const { code, errorLabels } = one.commit();
    assert.deepEqual([code, errorLabels], [112, ['TransientTransactionError']]);
    assert.deepEqual(ids(cluster.documents('u')), [2]);
  });

  it('has cursors that read within it', () => {
    const { id } = one.begin().run({ find: 'c', batchSize: 1 }).cursor;
    cluster.run(remove(2));
    assert.equal(cluster.run({ getMore: id, collection: 'c', lsid: one.lsid }).code, 50740);
    assert.deepEqual(ids(one.run({ getMore: id, collection: 'c' }).cursor.nextBatch), [2, 3]);
  });

  it('closes its cursors at its end', () => {
    const { id } = one.begin().run({ find: 'c', batchSize: 1 }).cursor;
    one.commit();
    one.begin();
    assert.equal(one.run({ find: 'c' }).ok, 1);
    assert.equal(one.run({ getMore: id, collection: 'c' }).code, 43);
  });

  it('is one entry of the oplog', () => {
    one.begin().run(insert(4));
    one.run(increment(1));
    one.commit();
    const [entry] = cluster.run({ find: 'oplog.rs', sort: { $natural: -1 }, limit: 1, $db: 'local' }).cursor
      .firstBatch;
    assert.deepEqual([entry.op, entry.ns, entry.txnNumber], ['c', 'admin.$cmd', 1n]);
    assert.deepEqual(entry.lsid.id.toHexString(), one.lsid.id.toHexString());
    assert.deepEqual(
      entry.o.applyOps.map(({ op }: Document) => op),
      ['i', 'u'],
    );
  });
});

describe('the end of a transaction', () => {
  it('is repeated on request, also after a restart', () => {
    one.begin().run(insert(4));
    assert.equal(one.commit().ok, 1);
    assert.equal(one.commit().ok, 1);
    cluster.reopen();
    assert.equal(one.commit().ok, 1);
    assert.equal(one.abort().code, 256);
    assert.equal(one.run(insert(5)).code, 256);
    assert.deepEqual(ids(cluster.documents('c')), [1, 2, 3, 4]);
  });

  it('comes after a minute', () => {
    one.begin().run(insert(4));
    cluster.clock.advance(61_000);
    const late = one.run(insert(5));
    assert.deepEqual([late.code, late.errorLabels], [251, ['TransientTransactionError']]);
    assert.equal(one.commit().code, 251);
    assert.equal(cluster.run(insert(4)).n, 1);
  });

  it('comes with the end of its session', () => {
    one.begin().run(insert(4));
    cluster.run({ killSessions: [one.lsid] });
    assert.equal(one.run(insert(5)).code, 251);
    assert.equal(cluster.run(insert(4)).n, 1);
  });

  it('comes with the next one of the session', () => {
    one.begin().run(insert(4));
    const before = one.number;
    one.begin().run(insert(5));
    assert.equal(one.commit().ok, 1);
    one.number = before;
    assert.equal(one.commit().code, 225);
    assert.deepEqual(ids(cluster.documents('c')), [1, 2, 3, 5]);
  });

  it('comes with another primary', () => {
    one.begin().run(insert(4));
    cluster.configure({ term: 2 });
    assert.equal(one.commit().code, 251);
  });
});
