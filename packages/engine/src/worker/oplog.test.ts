import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Timestamp } from 'bson';
import { admin, type Sent, TestCluster } from './testing.ts';

let cluster: TestCluster;
const isAnswered = ({ reply }: Sent) => reply !== undefined;

beforeEach(() => {
  cluster = new TestCluster();
});

afterEach(() => cluster.remove());

const find = (more: Document = {}): Document[] =>
  cluster.run({ find: 'oplog.rs', $db: 'local', batchSize: 100_000, ...more }).cursor.firstBatch;
/** Returns entries without the fields that are the same in all entries or that differ in each run. */
const changes = () =>
  find()
    .slice(1)
    .map(({ ts: _ts, wall: _wall, ui: _ui, t: _t, v: _v, ...entry }) => entry);
const update = (q: Document, u: Document) => cluster.run({ update: 'c', updates: [{ q, u }] });

describe('the oplog', () => {
  it('begins with the initiation of the replica set', () => {
    const [first, ...others] = find();
    assert.deepEqual(others, []);
    const { ts, wall, ...rest } = first as Document;
    assert.deepEqual(rest, { op: 'n', ns: '', o: { msg: 'initiating set' }, t: 1n, v: 2n });
    assert.deepEqual(wall, new Date(cluster.clock.now()));
    assert.deepEqual(ts, new Timestamp({ t: Math.floor(cluster.clock.now() / 1000), i: 1 }));
  });

  it('has an entry for each change, in order', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 1, a: 1 }, { _id: 2 }] });
    update({ _id: 1 }, { $set: { a: 2 } });
    update({ _id: 1 }, { $set: { a: 2 } });
    update({ _id: 2 }, { b: 1 });
    cluster.run({ delete: 'c', deletes: [{ q: { _id: 1 }, limit: 1 }] });
    cluster.run({ drop: 'c' });
    const ns = 'test.c';
    const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
    assert.deepEqual(changes(), [
      { op: 'c', ns: 'test.$cmd', o: { create: 'c', idIndex } },
      { op: 'i', ns, o: { _id: 1, a: 1 }, o2: { _id: 1 } },
      { op: 'i', ns, o: { _id: 2 }, o2: { _id: 2 } },
      { op: 'u', ns, o: { $v: 2, diff: { u: { a: 2 } } }, o2: { _id: 1 } },
      { op: 'u', ns, o: { _id: 2, b: 1 }, o2: { _id: 2 } },
      { op: 'd', ns, o: { _id: 1 } },
      { op: 'c', ns: 'test.$cmd', o: { drop: 'c' }, o2: { numRecords: 1 } },
    ]);
  });

  it('names the collection by its UUID', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 1 }] });
    const [{ info } = {}] = cluster.run({ listCollections: 1 }).cursor.firstBatch;
    assert.deepEqual(
      find({ filter: { op: 'i' } }).map(({ ui }) => ui),
      [info.uuid],
    );
  });

  it('has increasing times, also while service time is frozen and after the file is reopened', () => {
    const insert = (_id: number) => cluster.run({ insert: 'c', documents: [{ _id }] });
    insert(1);
    insert(2);
    cluster.reopen();
    insert(3);
    cluster.clock.advance(5_000);
    insert(4);
    const times = find().map(({ ts }) => [ts.t - Math.floor(cluster.clock.now() / 1000), ts.i]);
    assert.deepEqual(times, [
      [-5, 1],
      [-5, 2],
      [-5, 3],
      [-5, 4],
      [-5, 5],
      [0, 1],
    ]);
  });

  it('has no entries of a failed write', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 1 }] });
    const before = find().length;
    const sent = [1, 2, 3].map((connectionId) =>
      connectionId === 2
        ? cluster.send({ update: 'c', updates: [{ q: {}, u: { $inc: { _id: 1 } } }] }, { connectionId })
        : cluster.send({ insert: 'c', documents: [{ _id: connectionId * 10 }] }, { connectionId }),
    );
    cluster.worker.runTurn();
    assert.equal(sent[1]?.reply?.writeErrors.length, 1);
    assert.deepEqual(
      find()
        .slice(before)
        .map(({ o }) => o._id),
      [10, 30],
    );
  });

  it('can be read between two times', () => {
    cluster.run({ insert: 'c', documents: Array.from({ length: 50 }, (_, _id) => ({ _id })) });
    const entries = find();
    const at = (i: number) => entries[i]?.ts;
    const ts = (condition: Document) => find({ filter: { ts: condition } }).length;
    assert.equal(ts({ $gt: at(10) }), entries.length - 11);
    assert.equal(ts({ $gte: at(10), $lt: at(20) }), 10);
    assert.equal(ts({ $in: [at(3), at(7)] }), 2);
    assert.equal(ts({ $gte: new Timestamp({ t: at(0)?.t ?? 0, i: 0xffffffff }) }), 0);
    assert.equal(ts({ $gt: 5 }), 0);
    const newest = find({ sort: { $natural: -1 }, limit: 2, filter: { ts: { $lte: at(9) } } });
    assert.deepEqual(newest, [entries[9], entries[8]]);
  });

  it('cannot be written or dropped', () => {
    const user = { ...admin, roles: [{ role: 'root', database: 'admin' }] };
    const run = (command: Document) => cluster.run({ $db: 'local', ...command }, { user });
    assert.equal(run({ insert: 'oplog.rs', documents: [{ _id: 1 }] }).writeErrors[0].code, 73);
    assert.equal(run({ delete: 'oplog.rs', deletes: [{ q: {}, limit: 1 }] }).writeErrors[0].code, 73);
    assert.equal(run({ drop: 'oplog.rs' }).code, 20);
    assert.equal(run({ dropDatabase: 1 }).code, 20);
    assert.equal(find().length, 1);
  });

  it('does not record changes of its own database', () => {
    const user = { ...admin, roles: [{ role: 'root', database: 'admin' }] };
    assert.equal(cluster.run({ insert: 'c', documents: [{ _id: 1 }], $db: 'local' }, { user }).n, 1);
    assert.deepEqual(changes(), []);
  });

  it('has its newest time in every answer', () => {
    const ping = () => cluster.send({ ping: 1 });
    const write = cluster.send({ insert: 'c', documents: [{ _id: 1 }] });
    cluster.worker.runTurn();
    const after = ping();
    const failed = cluster.send({ nothing: 1 });
    cluster.worker.runTurn();
    const newest = find().at(-1)?.ts;
    for (const sent of [write, after, failed]) {
      assert.deepEqual(sent.operationTime, newest);
      assert.deepEqual(sent.clusterTime?.clusterTime, newest);
      assert.equal(sent.clusterTime?.signature.keyId, 0n);
    }
  });

  it('can be tailed from a given time on', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 1 }] });
    const last = find().at(-1);
    const filter = { ts: { $gt: last?.ts }, op: 'i' };
    const tail = { find: 'oplog.rs', filter, tailable: true, awaitData: true, $db: 'local' };
    const { cursor } = cluster.run(tail);
    assert.deepEqual(cursor.firstBatch, []);
    const waiting = cluster.send(
      { getMore: cursor.id, collection: 'oplog.rs', $db: 'local' },
      { connectionId: 2 },
    );
    cluster.worker.runTurn();
    assert.ok(!isAnswered(waiting));
    cluster.run({ insert: 'c', documents: [{ _id: 2 }] });
    assert.deepEqual(
      waiting.reply?.cursor.nextBatch.map(({ o }: Document) => o),
      [{ _id: 2 }],
    );
  });

  it('can be resized by command, permanently', () => {
    const user = { ...admin, roles: [{ role: 'root', database: 'admin' }] };
    const resize = (more: Document) =>
      cluster.run({ replSetResizeOplog: 1, ...more, $db: 'admin' }, { user });
    assert.equal(resize({ size: 100 }).code, 2);
    assert.equal(resize({ size: 2_000, minRetentionHours: 1.5 }).ok, 1);
    cluster.reopen();
    const { options } = cluster
      .run({ listCollections: 1, $db: 'local' }, { user })
      .cursor.firstBatch.find(({ name }: Document) => name === 'oplog.rs');
    assert.equal(Number(options.size), 2_000 * 1024 * 1024);
    assert.equal(options.minRetentionHours, 1.5);
    const hours = () => cluster.run({ serverStatus: 1 }, { user }).oplogTruncation.oplogMinRetentionHours;
    assert.equal(hours(), 1.5);
    assert.equal(resize({ minRetentionHours: 0 }).ok, 1);
    assert.equal(hours(), undefined);
  });
});
