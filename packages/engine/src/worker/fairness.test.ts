import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { CLUSTER_ID, type SendOptions, type Sent, TestCluster } from './testing.ts';

const DOCUMENTS = 1_000;

let cluster: TestCluster;
/** Requests that arrive while a statement is running, one at each of its interruption checks. */
let arriving: Array<() => void>;
/** True if requests also arrive while a nested statement runs. */
let nested: boolean;
/** The milliseconds by which each reading advances the clock. */
let tick: number;

beforeEach(() => {
  cluster = new TestCluster();
  const documents = Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, n: 0 }));
  cluster.run({ insert: 'c', documents });
  // Each reading advances the clock, so that statements yield soon.
  let time = 0;
  tick = 1;
  cluster.clock.monotonic = () => (time += tick);
  arriving = [];
  nested = false;
  let depth = 0;
  cluster.worker.ports = {
    receive: () => {
      if (depth++ === 0 || nested) arriving.shift()?.();
    },
    send: () => depth--,
  };
});

afterEach(() => cluster.remove());

let connections = 100;

/** Sends a command on another connection at the next interruption check of the running statement. */
function meanwhile(command: Document, options: SendOptions = {}): Sent {
  const sent: Sent = {};
  connections++;
  const connectionId = connections;
  arriving.push(() => cluster.send(command, { connectionId, ...options }, sent));
  return sent;
}

/** Lets the statement run for this number of interruption checks. */
function wait(checkPoints: number): void {
  for (let i = 0; i < checkPoints; i++) arriving.push(() => {});
}

const scan = { find: 'c', filter: { nothing: 1 } };
const countOf = (filter: Document) => cluster.run({ count: 'c', query: filter }).n;

/** Runs `command` to completion and asserts that the replies to the `before` commands come first. */
function runAfter(command: Document, before: readonly Sent[]): Document {
  const sent = cluster.send(command);
  const early: boolean[] = [];
  arriving.push(() => early.push(...before.map(({ reply }) => reply !== undefined)));
  cluster.worker.runTurn();
  assert.deepEqual(
    early,
    before.map(() => true),
  );
  assert.ok(sent.reply);
  return sent.reply;
}

describe('a long statement', () => {
  it('lets reads and writes of the same cluster run before it ends', () => {
    const pinged = meanwhile({ ping: 1 });
    const found = meanwhile({ find: 'c', filter: { _id: 7 } });
    const inserted = meanwhile({ insert: 'c', documents: [{ _id: -1, nothing: 1 }] });
    const { cursor } = runAfter({ find: 'c', filter: { late: 1 } }, [pinged, found, inserted]);
    assert.deepEqual(cursor.firstBatch, []);
    assert.deepEqual(found.reply?.cursor.firstBatch, [{ _id: 7, n: 0 }]);
    assert.equal(inserted.reply?.n, 1);
    assert.equal(countOf({}), DOCUMENTS + 1);
  });

  it('lets others use the memory of a whole statement while it evaluates a constant', () => {
    cluster.run({ insert: 'long', documents: [{ s: 'x'.repeat(3 << 20) }] });
    const n = { $strLenBytes: { $concat: [{ $concat: ['$s', 'y'] }, 'z'] } };
    const read = { aggregate: 'long', pipeline: [{ $project: { _id: 0, n } }], cursor: {} };
    const others = Array.from({ length: 40 }, () => {
      wait(5);
      return meanwhile(read);
    });
    const range = { $range: [0, 3_000] };
    const constant = { $eq: [{ $reverseArray: range }, { $setUnion: [range, range] }] };
    cluster.run({ aggregate: 'c', pipeline: [{ $limit: 1 }, { $project: { equal: constant } }], cursor: {} });
    for (const { reply } of others)
      assert.deepEqual(reply?.cursor?.firstBatch ?? reply, [{ n: (3 << 20) + 2 }]);
  });

  it('lets only commands that touch no data run while it writes', () => {
    const pinged = meanwhile({ ping: 1 });
    const found = meanwhile({ find: 'c', filter: { _id: DOCUMENTS - 1 } });
    arriving.push(() => assert.equal(found.reply, undefined));
    const update = { update: 'c', updates: [{ q: {}, u: { $set: { n: 1 } }, multi: true }] };
    const reply = runAfter(update, [pinged]);
    assert.equal(reply.nModified, DOCUMENTS);
    assert.deepEqual(found.reply?.cursor.firstBatch, [{ _id: DOCUMENTS - 1, n: 1 }]);
  });

  it('shows how far the build of an index is', () => {
    wait(1);
    const seen = meanwhile({ currentOp: 1, ns: 'test.c', $db: 'admin' });
    runAfter({ createIndexes: 'c', indexes: [{ key: { n: 1 }, name: 'n_1' }] }, [seen]);
    const [{ msg, progress }] = seen.reply?.inprog ?? [];
    const { done } = progress;
    assert.ok(done > 0 && done < DOCUMENTS, String(done));
    assert.deepEqual(progress, { done, total: DOCUMENTS });
    const building = 'Index Build: scanning collection';
    assert.equal(msg, `${building} ${building}: ${done}/${DOCUMENTS} ${Math.floor(done / 10)}%`);
    const later = cluster.run({ currentOp: 1, $db: 'admin' }).inprog;
    assert.deepEqual(
      later.map((operation: Document) => operation.progress),
      [undefined],
    );
  });

  it('does not reveal its writes before they are committed', () => {
    const before = cluster.send({ ping: 1 });
    cluster.worker.runTurn();
    const pinged = meanwhile({ ping: 1 });
    runAfter({ update: 'c', updates: [{ q: {}, u: { $set: { n: 1 } }, multi: true }] }, [pinged]);
    assert.deepEqual(pinged.operationTime, before.operationTime);
  });

  it('leaves no locks if an election ends its transaction meanwhile', () => {
    const begin = (id: UUID) => ({
      ...{ update: 'c', updates: [{ q: {}, u: { $set: { n: 1 } }, multi: true }] },
      ...{ lsid: { id }, txnNumber: Long.ONE, autocommit: false, startTransaction: true },
    });
    wait(1);
    arriving.push(() => cluster.configure({ term: 2 }));
    const { codeName, errorLabels } = cluster.run(begin(new UUID()));
    assert.deepEqual([codeName, errorLabels], ['WriteConflict', ['TransientTransactionError']]);
    assert.equal(cluster.run(begin(new UUID())).nModified, DOCUMENTS);
  });

  it('ends when its collection is dropped', () => {
    const dropped = meanwhile({ drop: 'c' });
    assert.equal(cluster.run(scan).code, 175);
    assert.equal(dropped.reply?.ok, 1);
  });

  it('keeps the order of a connection that continues after an unacknowledged write', () => {
    const order: string[] = [];
    const note = (name: string, sent: Sent) => {
      if (sent.reply !== undefined && !order.includes(name)) order.push(name);
    };
    const connectionId = 99;
    const write = meanwhile({ insert: 'd', documents: [{ _id: 1 }] }, { connectionId });
    const read = meanwhile({ count: 'd' }, { connectionId });
    for (let i = 0; i < 4; i++) {
      arriving.push(() => {
        note('write', write);
        note('read', read);
      });
    }
    runAfter(scan, []);
    assert.deepEqual([order, read.reply?.n], [['write', 'read'], 1]);
  });

  it('is rolled back when it would delay one that has started before it, and runs again later', () => {
    nested = true;
    const order: string[] = [];
    const noted = (name: string) => Object.defineProperty({}, 'reply', { set: () => order.push(name) });
    cluster.send(scan, {}, noted('first'));
    arriving.push(() => cluster.send(scan, { connectionId: 2 }, noted('second')));
    arriving.push(() => cluster.send({ ping: 1 }, { connectionId: 3 }, noted('ping')));
    cluster.worker.runTurn();
    assert.deepEqual(order, ['ping', 'first', 'second']);
  });

  it('does not delay statements that share its transaction', () => {
    const order: string[] = [];
    const noted = (name: string) => Object.defineProperty({}, 'reply', { set: () => order.push(name) });
    const update = { update: 'c', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] };
    cluster.send(update, { connectionId: 1 }, noted('long'));
    cluster.send({ insert: 'd', documents: [{ _id: 1 }] }, { connectionId: 2 }, noted('short'));
    cluster.worker.runTurn();
    assert.deepEqual(order, ['short', 'long']);
    assert.equal(countOf({ n: 1 }), DOCUMENTS);
  });
});

describe('a statement is interrupted', () => {
  const code = (reply: Document | undefined) => [reply?.ok, reply?.code, reply?.codeName];
  const updateAll = (n: number) => ({ update: 'c', updates: [{ q: {}, u: { $set: { n } }, multi: true }] });

  it('when it exceeds its time limit', () => {
    assert.deepEqual(code(cluster.run({ ...scan, maxTimeMS: 20 })), [0, 50, 'MaxTimeMSExpired']);
    assert.equal(cluster.run({ ...scan, maxTimeMS: 0 }).ok, 1);
  });

  it('when it exceeds its time limit, and its writes are rolled back', () => {
    const reply = cluster.run({ ...updateAll(2), maxTimeMS: 20 });
    assert.deepEqual([code(reply), reply.writeErrors], [[0, 50, 'MaxTimeMSExpired'], undefined]);
    assert.equal(countOf({ n: 2 }), 0);
  });

  it('while it waits for another statement', () => {
    const waiting = meanwhile({ count: 'c', query: { n: 1 }, maxTimeMS: 5 });
    wait(8);
    arriving.push(() => assert.equal(waiting.reply?.code, 50));
    cluster.run(updateAll(3));
  });

  it('when the batches of its cursor together exceed the time limit', () => {
    const { cursor } = cluster.run({ find: 'c', batchSize: 0, maxTimeMS: 15, filter: { n: 9 } });
    const reply = cluster.run({ getMore: Long.fromBigInt(cursor.id), collection: 'c' });
    assert.equal(reply.code, 50);
    assert.equal(cluster.run({ getMore: Long.fromBigInt(cursor.id), collection: 'c' }).code, 43);
  });

  it('by killOp, with the id that currentOp returns', () => {
    const seen = meanwhile({ currentOp: 1, ns: 'test.c', $db: 'admin' });
    arriving.push(() => {
      const [operation] = seen.reply?.inprog ?? [];
      assert.deepEqual([operation.op, operation.active, operation.command.find], ['query', true, 'c']);
      const killed = meanwhile({ killOp: 1, op: operation.opid, $db: 'admin' });
      arriving.push(() => assert.equal(killed.reply?.info, 'attempting to kill op'));
    });
    assert.deepEqual(code(cluster.run(scan)), [0, 11601, 'Interrupted']);
  });

  it('by killOp of the same user only, without the privilege', () => {
    // Time passes so slowly that `currentOp`, which runs within the scan, stays within its time budget.
    tick = 0.25;
    const user = { username: 'bob', database: 'admin', roles: [{ role: 'readWrite', database: 'test' }] };
    const seen = meanwhile({ currentOp: 1, ns: 'test.c', $db: 'admin' });
    const refused: Sent[] = [];
    arriving.push(() => {
      const kill = { killOp: 1, op: seen.reply?.inprog[0].opid, $db: 'admin' };
      refused.push(meanwhile(kill, { user }));
    });
    assert.equal(cluster.run(scan).ok, 1);
    assert.equal(refused[0]?.reply?.code, 13);
    const own = meanwhile({ currentOp: 1, $ownOps: true, ns: 'test.c', $db: 'admin' }, { user });
    arriving.push(() => meanwhile({ killOp: 1, op: own.reply?.inprog[0].opid, $db: 'admin' }, { user }));
    assert.equal(cluster.run(scan, { user }).code, 11601);
  });

  it('when its session is killed', () => {
    const lsid = { id: new UUID() };
    meanwhile({ killSessions: [lsid] });
    assert.equal(cluster.run({ ...scan, lsid }).code, 11601);
  });

  it('when its cursor is killed; another request may not read the cursor meanwhile', () => {
    const { cursor } = cluster.run({ find: 'c', batchSize: 0, filter: { n: 9 } });
    const id = Long.fromBigInt(cursor.id);
    const second = meanwhile({ getMore: id, collection: 'c' });
    const killed = meanwhile({ killCursors: 'c', cursors: [id] });
    assert.deepEqual(code(cluster.run({ getMore: id, collection: 'c' })), [0, 237, 'CursorKilled']);
    assert.deepEqual(code(second.reply), [0, 143, 'CursorInUse']);
    assert.deepEqual(killed.reply?.cursorsKilled, [cursor.id]);
  });

  it('when its connection has closed', () => {
    arriving.push(() => cluster.worker.disconnected(new Set([1])));
    assert.deepEqual(code(cluster.run(scan)), [0, 279, 'ClientDisconnect']);
    arriving.push(() => cluster.worker.disconnected(new Set([1])));
    assert.equal(cluster.run(updateAll(4)).code, 279);
    assert.equal(countOf({ n: 4 }), 0);
  });

  it('but not when it is unacknowledged', () => {
    arriving.push(() => cluster.worker.disconnected(new Set([1])));
    cluster.run({ ...updateAll(5), writeConcern: { w: 0 } });
    assert.equal(countOf({ n: 5 }), DOCUMENTS);
  });

  it('when the connection that waits for changes has closed', () => {
    const { cursor } = cluster.run({ aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} });
    const id = Long.fromBigInt(cursor.id);
    const waiting = cluster.send({ getMore: id, collection: 'c', maxTimeMS: 60_000 }, { connectionId: 7 });
    cluster.worker.runTurn();
    const answers = () => Object.keys(waiting).length;
    assert.equal(answers(), 0);
    const { inprog } = cluster.run({ currentOp: 1, op: 'getmore', $db: 'admin' });
    assert.equal(inprog[0].connectionId, 7);
    cluster.worker.disconnected(new Set([7]));
    cluster.worker.runTurn();
    assert.equal(waiting.reply?.code, 279);
  });

  it('when its cluster is closed', () => {
    arriving.push(() => cluster.worker.interrupt(CLUSTER_ID));
    assert.equal(cluster.run(scan).code, 11600);
  });
});
