import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { TestCluster } from '../../worker/testing.ts';
import { clusterWithDocuments, increment, insert, Session } from './testing-transactions.ts';

let cluster: TestCluster;
let one: Session;
let two: Session;

beforeEach(() => {
  cluster = clusterWithDocuments();
  one = new Session(cluster);
  two = new Session(cluster);
});

afterEach(() => cluster.remove());

describe('two transactions', () => {
  it('conflict when they write the same document: the first one wins', () => {
    one.begin().run(increment(1));
    const lost = two.begin().run(increment(1));
    assert.deepEqual([lost.code, lost.codeName], [112, 'WriteConflict']);
    assert.deepEqual(lost.errorLabels, ['TransientTransactionError']);
    assert.deepEqual(two.run(increment(2)).errorLabels, ['TransientTransactionError']);
    assert.equal(one.commit().ok, 1);
  });

  it('conflict when one writes what has changed since its start', () => {
    one.begin().documents();
    cluster.run(increment(1));
    assert.equal(one.run(increment(1)).code, 112);
    two.begin().documents();
    cluster.run(insert(7));
    assert.equal(two.run(insert(7)).code, 112);
  });

  it('do not conflict when they write different documents', () => {
    one.begin().run(increment(1));
    two.begin().run(increment(2));
    assert.deepEqual([one.commit().ok, two.commit().ok], [1, 1]);
    assert.deepEqual(
      cluster.documents('c').map(({ n }) => n),
      [1, 1, 0],
    );
  });

  it('conflict when both create the same collection', () => {
    one.begin().run({ create: 'made' });
    assert.equal(two.begin().run({ create: 'made' }).code, 112);
  });
});

describe('a write outside of transactions', () => {
  it('waits for a transaction that has written the same document', () => {
    one.begin().run(increment(1));
    const sent = cluster.send(increment(1), { connectionId: 2 });
    cluster.worker.runTurn();
    assert.equal(sent.reply, undefined);
    one.commit();
    assert.deepEqual(sent.reply, { n: 1, nModified: 1, ok: 1 });
    assert.equal(cluster.documents('c')[0]?.n, 2);
  });

  it('continues when that transaction is aborted', () => {
    one.begin().run(insert(9));
    const sent = cluster.send(insert(9), { connectionId: 2 });
    cluster.worker.runTurn();
    assert.equal(sent.reply, undefined);
    one.abort();
    assert.deepEqual(sent.reply, { n: 1, ok: 1 });
  });

  it('waits no longer than its time limit', () => {
    one.begin().run(increment(1));
    const sent = cluster.send({ ...increment(1), maxTimeMS: 100 }, { connectionId: 2 });
    cluster.worker.runTurn();
    cluster.clock.advance(101);
    assert.equal(sent.reply?.code, 50);
  });

  it('does not prevent the expiry of documents', () => {
    cluster.run({ createIndexes: 't', indexes: [{ key: { at: 1 }, name: 'at', expireAfterSeconds: 0 }] });
    cluster.run({ insert: 't', documents: [{ _id: 1, at: new Date(0) }] });
    one.begin().run({ update: 't', updates: [{ q: { _id: 1 }, u: { $set: { x: 1 } } }] });
    // Expired documents are deleted once a minute. The first deletion finds the transaction open, and the second
    // comes after its end.
    cluster.clock.advance(60_000);
    cluster.clock.advance(60_000);
    assert.deepEqual(cluster.documents('t'), []);
  });

  it('does not drop a collection that an open transaction writes to', () => {
    one.begin().run(increment(1));
    const sent = cluster.send({ drop: 'c' }, { connectionId: 2 });
    cluster.worker.runTurn();
    assert.equal(sent.reply, undefined);
    assert.equal(one.commit().ok, 1);
    assert.deepEqual(sent.reply, { nIndexesWas: 1, ns: 'test.c', ok: 1 });
  });
});
