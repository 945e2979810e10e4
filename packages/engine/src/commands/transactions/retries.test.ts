import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
let lsid: Document;

beforeEach(() => {
  cluster = new TestCluster();
  lsid = { id: new UUID() };
});

afterEach(() => cluster.remove());

const numbered = (txnNumber: number, command: Document) => ({
  ...command,
  lsid,
  txnNumber: Long.fromNumber(txnNumber),
});
const run = (txnNumber: number, command: Document) => cluster.run(numbered(txnNumber, command));
const insert = (...ids: number[]) => ({ insert: 'c', documents: ids.map((_id) => ({ _id })) });
const increment = (more: Document = {}) => ({
  update: 'c',
  updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } }, ...more }],
});
const oplogLength = () => cluster.run({ count: 'oplog.rs', $db: 'local' }).n;

describe('a retried write', () => {
  it('returns the first result and changes nothing', () => {
    assert.deepEqual(run(1, insert(1, 2)), { n: 2, ok: 1 });
    const length = oplogLength();
    assert.deepEqual(run(1, insert(1, 2)), { n: 2, retriedStmtIds: [0, 1], ok: 1 });
    assert.equal(oplogLength(), length);
    assert.equal(run(2, insert(1)).writeErrors[0].code, 11000);
  });

  it('needs one statement id for each statement, and not both forms', () => {
    const ids = (...stmtIds: number[]) => ({ stmtIds });
    const updates = [1, 2].map((_id) => ({ q: { _id }, u: { $set: { n: 1 } } }));
    const deletes = [1, 2].map((_id) => ({ q: { _id }, limit: 1 }));
    const ops = [1, 2].map((_id) => ({ insert: 0, document: { _id } }));
    const commands = [
      insert(1, 2),
      { update: 'c', updates },
      { delete: 'c', deletes },
      { bulkWrite: 1, ops, nsInfo: [{ ns: 'test.c' }], $db: 'admin' },
    ];
    for (const [number, command] of commands.entries()) {
      for (const wrong of [ids(), ids(1), ids(1, 2, 3)])
        assert.equal(run(number, { ...command, ...wrong }).code, 16);
      assert.equal(run(number, { ...command, ...ids(1, 2), stmtId: 1 }).code, 72);
      assert.equal(run(number, { ...command, ...ids(5, 9) }).ok, 1);
    }
  });

  it('does so after a restart', () => {
    run(1, insert(1));
    assert.deepEqual(run(2, increment()), { n: 1, nModified: 1, ok: 1 });
    cluster.reopen();
    assert.deepEqual(run(2, increment()), { n: 1, nModified: 1, retriedStmtIds: [0], ok: 1 });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, n: 1 }]);
  });

  it('returns the upserted id', () => {
    const first = run(1, { update: 'c', updates: [{ q: { a: 1 }, u: { $set: { b: 1 } }, upsert: true }] });
    const second = run(1, { update: 'c', updates: [{ q: { a: 1 }, u: { $set: { b: 1 } }, upsert: true }] });
    assert.deepEqual(second, { ...first, retriedStmtIds: [0] });
    assert.equal(first.upserted.length, 1);
    assert.equal(cluster.documents('c').length, 1);
  });

  it('removes once', () => {
    cluster.run(insert(1, 2));
    const remove = { delete: 'c', deletes: [{ q: {}, limit: 1 }] };
    assert.deepEqual([run(1, remove).n, run(1, remove).n], [1, 1]);
    assert.deepEqual(cluster.documents('c'), [{ _id: 2 }]);
  });

  it('runs the statements that have not run', () => {
    cluster.run(insert(2));
    const first = run(1, { ...insert(1, 2, 3), ordered: true });
    assert.deepEqual([first.n, first.writeErrors.length], [1, 1]);
    cluster.run({ delete: 'c', deletes: [{ q: { _id: 2 }, limit: 1 }] });
    const second = run(1, { ...insert(1, 2, 3), ordered: true });
    assert.deepEqual(second, { n: 3, retriedStmtIds: [0], ok: 1 });
    assert.deepEqual(run(1, insert(1, 2, 3)).retriedStmtIds, [0, 1, 2]);
  });

  it('is identified by its statement ids', () => {
    run(1, { ...insert(1), stmtIds: [7] });
    assert.deepEqual(run(1, { ...insert(9, 1), stmtIds: [8, 7] }), { n: 2, retriedStmtIds: [7], ok: 1 });
    assert.deepEqual(run(1, { ...insert(9), stmtId: 8 }).retriedStmtIds, [8]);
  });

  it('returns the same document for findAndModify', () => {
    cluster.run(insert(1));
    const command = { findAndModify: 'c', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true };
    const first = run(1, command);
    assert.deepEqual(first.value, { _id: 1, n: 1 });
    assert.deepEqual(run(1, command), { ...first, retriedStmtId: 0 });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, n: 1 }]);
  });

  it('is a different write in another session or for another user', () => {
    cluster.run(insert(1));
    run(1, increment());
    cluster.run(numbered(1, increment()), { user: { ...admin, username: 'bob' } });
    lsid = { id: new UUID() };
    run(1, increment());
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, n: 3 }]);
  });

  it('shares a write transaction with others', () => {
    const sent = [1, 2, 3].map((connectionId) =>
      cluster.send(numbered(1, insert(connectionId === 3 ? 1 : connectionId)), { connectionId }),
    );
    cluster.worker.runTurn();
    assert.deepEqual(
      sent.map(({ reply }) => reply?.retriedStmtIds),
      [undefined, [0], [0]],
    );
    assert.deepEqual(cluster.documents('c'), [{ _id: 1 }]);
  });

  it('is identified by session, number and statement in the oplog', () => {
    run(4, insert(1, 2));
    const entries = cluster.run({ find: 'oplog.rs', filter: { op: 'i' }, $db: 'local' }).cursor.firstBatch;
    assert.deepEqual(
      entries.map(({ txnNumber, stmtId }: Document) => [txnNumber, stmtId]),
      [
        [4n, 0],
        [4n, 1],
      ],
    );
    assert.deepEqual(entries[0].lsid.id.buffer, lsid.id.buffer);
  });
});

describe('a retryable write', () => {
  it('with a number below a later one is rejected', () => {
    run(5, insert(1));
    assert.equal(run(4, insert(2)).code, 225);
    cluster.reopen();
    assert.equal(run(4, insert(2)).code, 225);
    assert.equal(run(6, insert(2)).ok, 1);
  });

  it('that changes many documents is rejected', () => {
    cluster.run(insert(1, 2));
    assert.equal(run(1, increment({ multi: true })).writeErrors[0].code, 72);
    assert.equal(run(2, { delete: 'c', deletes: [{ q: {}, limit: 0 }] }).writeErrors[0].code, 72);
    assert.equal(cluster.documents('c').length, 2);
  });

  it('is forgotten after half an hour', () => {
    run(1, insert(1));
    cluster.clock.advance(61 * 60_000);
    assert.equal(run(1, insert(1)).writeErrors[0].code, 11000);
  });

  const refused: Array<[string, () => Document, number]> = [
    ['without a session', () => ({ ...insert(1), txnNumber: 1n }), 72],
    ['with a number of another type', () => ({ ...insert(1), lsid, txnNumber: 1 }), 14],
    ['with a negative number', () => ({ ...insert(1), lsid, txnNumber: -1n }), 72],
    ['of a command that is not retryable', () => ({ ping: 1, lsid, txnNumber: 1n }), 50768],
    ['of an unknown transaction', () => ({ ...insert(1), lsid, txnNumber: 1n, autocommit: false }), 251],
    ['with autocommit', () => ({ ...insert(1), lsid, txnNumber: 1n, autocommit: true }), 72],
    ['with startTransaction', () => ({ ...insert(1), lsid, txnNumber: 1n, startTransaction: true }), 72],
    ['with autocommit and no number', () => ({ ...insert(1), lsid, autocommit: false }), 72],
  ];
  for (const [name, command, code] of refused) {
    it(`${name} is rejected`, () => assert.equal(cluster.run(command()).code, code));
  }
});
