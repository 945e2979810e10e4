import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});
afterEach(() => cluster.remove());

const nsInfo = [{ ns: 'test.a' }, { ns: 'other.b' }];
const bulk = (ops: Document[], more: Document = {}) =>
  cluster.run({ bulkWrite: 1, ops, nsInfo, $db: 'admin', ...more });

describe('bulkWrite', () => {
  it('writes to several collections and reports each operation', () => {
    const reply = bulk([
      { insert: 0, document: { _id: 1, v: 1 } },
      { insert: 1, document: { _id: 1 } },
      { update: 0, filter: { _id: 1 }, updateMods: { $inc: { v: 1 } } },
      { update: 0, filter: { _id: 2 }, updateMods: { $set: { v: 9 } }, upsert: true },
      { delete: 1, filter: {}, multi: true },
    ]);
    assert.deepEqual(reply, {
      cursor: {
        firstBatch: [
          { ok: 1, idx: 0, n: 1 },
          { ok: 1, idx: 1, n: 1 },
          { ok: 1, idx: 2, n: 1, nModified: 1 },
          { ok: 1, idx: 3, n: 1, nModified: 0, upserted: { _id: 2 } },
          { ok: 1, idx: 4, n: 1 },
        ],
        id: 0n,
        ns: 'admin.$cmd.bulkWrite',
      },
      nErrors: 0,
      nInserted: 2,
      nMatched: 1,
      nModified: 1,
      nUpserted: 1,
      nDeleted: 1,
      ok: 1,
    });
    assert.deepEqual(cluster.documents('a'), [
      { _id: 1, v: 2 },
      { _id: 2, v: 9 },
    ]);
  });

  it('stops at an error, or continues if unordered', () => {
    const ops = [1, 1, 2].map((_id) => ({ insert: 0, document: { _id } }));
    const stopped = bulk(ops);
    assert.deepEqual(
      stopped.cursor.firstBatch.map(({ ok, idx, code }: Document) => [ok, idx, code]),
      [
        [1, 0, undefined],
        [0, 1, 11000],
      ],
    );
    const { nErrors, nInserted } = bulk(ops, { ordered: false });
    assert.deepEqual([nErrors, nInserted], [2, 1]);
  });

  it('returns errors only on request', () => {
    const ops = [1, 1].map((_id) => ({ insert: 0, document: { _id } }));
    const { firstBatch } = bulk(ops, { errorsOnly: true }).cursor;
    assert.deepEqual(
      firstBatch.map(({ idx }: Document) => idx),
      [1],
    );
  });

  it('returns its cursor in batches', () => {
    const ops = [1, 2, 3].map((_id) => ({ insert: 0, document: { _id } }));
    const { id, firstBatch } = bulk(ops, { cursor: { batchSize: 2 } }).cursor;
    assert.equal(firstBatch.length, 2);
    const more = cluster.run({ getMore: id, collection: '$cmd.bulkWrite', $db: 'admin' });
    assert.deepEqual(more.cursor.nextBatch, [{ ok: 1, idx: 2, n: 1 }]);
  });

  it('returns and closes its cursor in a transaction, which runs no other command on admin', () => {
    const ops = [1, 2, 3].map((_id) => ({ insert: 0, document: { _id } }));
    const session = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
    const open = { ...session, startTransaction: true, cursor: { batchSize: 1 } };
    const { id } = bulk(ops, open).cursor;
    const cursor = { getMore: id, collection: '$cmd.bulkWrite', batchSize: 1, $db: 'admin', ...session };
    assert.deepEqual(cluster.run(cursor).cursor?.nextBatch, [{ ok: 1, idx: 1, n: 1 }]);
    const close = { killCursors: '$cmd.bulkWrite', cursors: [id], $db: 'admin', ...session };
    assert.deepEqual(cluster.run(close).cursorsKilled, [id]);
    assert.equal(cluster.run({ ...cursor, collection: 'other' }).code, 263);
  });

  it('ends at the first error of a transaction, even if it is not ordered', () => {
    bulk([{ insert: 0, document: { _id: 1 } }]);
    const session = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false, startTransaction: true };
    const ops = [2, 1, 3].map((_id) => ({ insert: 0, document: { _id } }));
    const { nInserted, nErrors, cursor } = bulk(ops, { ...session, ordered: false });
    assert.deepEqual([nInserted, nErrors, cursor.firstBatch.length], [1, 1, 2]);
  });

  it('update pipelines see the variables of let and their constants', () => {
    bulk([{ insert: 0, document: { _id: 1 } }]);
    const change = { updateMods: [{ $set: { v: ['$$a', '$$b'] } }], constants: { b: 2 } };
    bulk([{ update: 0, filter: { _id: 1 }, ...change }], { let: { a: 1 } });
    assert.deepEqual(cluster.documents('a'), [{ _id: 1, v: [1, 2] }]);
  });

  const rejected: Array<[string, Document[], Document, number]> = [
    ['no operations', [], {}, 16],
    ['an unknown namespace index', [{ insert: 5, document: {} }], {}, 2],
    ['a namespace without a dot', [{ insert: 0, document: {} }], { nsInfo: [{ ns: 'x' }] }, 73],
    ['an unknown operation', [{ replace: 0 }], {}, 40415],
    ['an insert without its document', [{ insert: 0 }], {}, 40414],
    ['a hint that is a number', [{ delete: 0, filter: {}, hint: 1 }], {}, 9],
  ];
  for (const [what, ops, more, code] of rejected) {
    it(`rejects ${what} without effect`, () => {
      const first = { insert: 0, document: { _id: 'first' } };
      const reply = bulk(ops.length === 0 ? [] : [first, ...ops], more);
      assert.deepEqual([reply.code, cluster.documents('a')], [code, []]);
    });
  }

  it('returns counts, but no operations, for an unacknowledged write', () => {
    const ops = [
      { insert: 0, document: { _id: 1 } },
      { insert: 0, document: { _id: 2 } },
    ];
    const { cursor, nInserted, ok } = bulk(ops, { writeConcern: { w: 0 } });
    assert.deepEqual(cursor, { firstBatch: [], id: 0n, ns: 'admin.$cmd.bulkWrite' });
    assert.deepEqual([nInserted, ok], [2, 1]);
  });

  it('runs on admin, and requires the privileges of each operation', () => {
    const ops = [{ insert: 0, document: {} }];
    assert.equal(bulk(ops, { $db: 'test' }).code, 13);
    const user = { ...admin, roles: [{ role: 'readWrite', database: 'test' }] };
    const run = (op: Document) => cluster.run({ bulkWrite: 1, ops: [op], nsInfo, $db: 'admin' }, { user });
    assert.equal(run({ insert: 0, document: {} }).ok, 1);
    assert.equal(run({ insert: 1, document: {} }).code, 13);
  });

  it('needs an action of its own to bypass validators, as other writes do', () => {
    const writer = { ...admin, roles: [{ role: 'readWrite', database: 'test' }] };
    const owner = { ...admin, roles: [...writer.roles, { role: 'dbAdmin', database: 'test' }] };
    const bypassDocumentValidation = true;
    const writes: Document[] = [
      { bulkWrite: 1, ops: [{ insert: 0, document: {} }], nsInfo, $db: 'admin' },
      { insert: 'c', documents: [{}] },
      { update: 'c', updates: [{ q: {}, u: { $set: { x: 1 } } }] },
      { findAndModify: 'c', query: {}, update: { $set: { x: 1 } } },
      { aggregate: 'c', pipeline: [{ $merge: 'other' }], cursor: {} },
    ];
    for (const write of writes) {
      assert.equal(cluster.run({ ...write, bypassDocumentValidation }, { user: writer }).code, 13);
      assert.equal(cluster.run({ ...write, bypassDocumentValidation: false }, { user: writer }).ok, 1);
      assert.equal(cluster.run({ ...write, bypassDocumentValidation }, { user: owner }).ok, 1);
    }
  });
});
