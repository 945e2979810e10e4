import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

/** One session and its transactions. */
class Session {
  readonly lsid = { id: new UUID() };
  number = 0n;
  #starts = false;

  begin(): this {
    this.number++;
    this.#starts = true;
    return this;
  }

  run(command: Document): Document {
    const starts = this.#starts ? { startTransaction: true } : {};
    this.#starts = false;
    return cluster.run({ ...command, ...this.step, ...starts });
  }

  send(command: Document) {
    return cluster.send({ ...command, ...this.step });
  }

  get step(): Document {
    return { lsid: this.lsid, txnNumber: this.number, autocommit: false };
  }

  commit(more: Document = {}): Document {
    return this.run({ commitTransaction: 1, $db: 'admin', ...more });
  }

  abort(): Document {
    return this.run({ abortTransaction: 1, $db: 'admin' });
  }

  documents(filter: Document = {}, more: Document = {}): Document[] {
    return this.run({ find: 'c', filter, ...more }).cursor.firstBatch;
  }
}

let one: Session;
let two: Session;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3].map((_id) => ({ _id, n: 0 })) });
  one = new Session();
  two = new Session();
});

afterEach(() => cluster.remove());

const insert = (...ids: number[]) => ({ insert: 'c', documents: ids.map((_id) => ({ _id })) });
const increment = (_id: number) => ({ update: 'c', updates: [{ q: { _id }, u: { $inc: { n: 1 } } }] });
const remove = (_id: number) => ({ delete: 'c', deletes: [{ q: { _id }, limit: 1 }] });
const ids = (documents: Document[]) => documents.map(({ _id }) => _id);

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
    // Expired documents are deleted once a minute: here first while the transaction is open, and again after
    // its end.
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

describe('a statement of a transaction', () => {
  const begun = () => {
    one.begin().run(insert(4));
    return one;
  };
  const refused: Array<[string, () => Document, number]> = [
    ['that is not supported', () => one.begin().run({ count: 'c' }), 263],
    ['that cannot come first', () => one.begin().run({ killCursors: 'c', cursors: [] }), 263],
    ...['admin', 'config', 'local'].map((database): [string, () => Document, number] => [
      `of the database ${database}`,
      () => one.begin().run({ find: 'c', $db: database }),
      263,
    ]),
    [
      'that writes to the database admin in bulk',
      () => {
        const ops = [{ insert: 0, document: {} }];
        return one.begin().run({ bulkWrite: 1, ops, nsInfo: [{ ns: 'admin.c' }], $db: 'admin' });
      },
      263,
    ],
    ['with other API parameters', () => begun().run({ find: 'c', apiVersion: '1' }), 347],
    [
      'with a stage not allowed in transactions',
      () => one.begin().run({ aggregate: 'c', pipeline: [{ $out: 'x' }], cursor: {} }),
      263,
    ],
    ['of no transaction', () => two.run({ find: 'c', txnNumber: 1n }), 251],
    ['with a write concern', () => one.begin().run({ ...insert(4), writeConcern: { w: 1 } }), 72],
    ['that starts it twice', () => begun().run({ ...insert(5), startTransaction: true }), 117],
    ['with a read concern that is not the first', () => begun().run({ find: 'c', readConcern: {} }), 72],
    [
      'with an unknown level',
      () => one.begin().run({ find: 'c', readConcern: { level: 'linearizable' } }),
      72,
    ],
  ];
  for (const [name, run, code] of refused) it(`${name} is rejected`, () => assert.equal(run().code, code));

  it('may have snapshot read concern', () => {
    assert.equal(one.begin().run({ find: 'c', readConcern: { level: 'snapshot' } }).ok, 1);
  });

  it('creates a collection or an index explicitly only with the read concern local', () => {
    const create = { create: 'fresh' };
    const index = { createIndexes: 'fresh', indexes: [{ key: { a: 1 }, name: 'a' }] };
    for (const level of ['majority', 'snapshot']) {
      for (const command of [create, index]) {
        assert.equal(one.begin().run({ ...command, readConcern: { level } }).code, 263);
        assert.equal(one.begin().run({ find: 'c', readConcern: { level } }).ok, 1);
        assert.equal(one.run(command).code, 263);
      }
      assert.equal(one.begin().run({ insert: 'fresh', documents: [{}], readConcern: { level } }).ok, 1);
      one.abort();
    }
    for (const more of [{}, { readConcern: {} }, { readConcern: { level: 'local' } }]) {
      assert.equal(one.begin().run({ ...create, ...more }).ok, 1);
      assert.equal(one.run(index).ok, 1);
      one.abort();
    }
  });

  it('does not write to system collections', () => {
    const q = { _id: 1 };
    const writes: Document[] = [
      { insert: 'system.js', documents: [q] },
      { update: 'system.js', updates: [{ q, u: { $set: { a: 1 } } }] },
      { delete: 'system.js', deletes: [{ q, limit: 1 }] },
      { findAndModify: 'system.js', query: q, remove: true },
      { bulkWrite: 1, ops: [{ insert: 0, document: q }], nsInfo: [{ ns: 'test.system.js' }], $db: 'admin' },
    ];
    for (const write of writes) assert.equal(one.begin().run(write).code, 50791);
    assert.equal(one.begin().run({ find: 'system.js' }).ok, 1);
    one.abort();
    assert.equal(cluster.run({ insert: 'system.js', documents: [q] }).ok, 1);
  });

  it('cannot end a transaction outside one', () => {
    assert.equal(cluster.run({ commitTransaction: 1, $db: 'admin' }).code, 125);
    assert.equal(cluster.run({ abortTransaction: 1, $db: 'admin' }).code, 125);
  });
});
