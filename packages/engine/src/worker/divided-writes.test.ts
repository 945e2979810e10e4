import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { CLUSTER_ID, info, TestCluster } from './testing.ts';

const NEIGHBOUR = '65f0c0ffee65f0c0ffee0002';
const DOCUMENTS = 12;
const TEXT = 'x'.repeat(2_000_000);
const documents = Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, n: 0 }));
const increments = { $inc: { n: 1 }, $set: { t: TEXT } };

let cluster: TestCluster;
let dir: string;
/** Number of readings of the clock. Each takes a millisecond. */
let looks: number;

beforeEach(() => {
  cluster = new TestCluster({}, { unsynced: true });
  dir = mkdtempSync(join(tmpdir(), 'worker-'));
  cluster.run({ insert: 'c', documents });
  looks = 0;
  cluster.clock.monotonic = () => looks++;
});

afterEach(() => {
  cluster.remove();
  rmSync(dir, { recursive: true });
});

/** Returns how often each document was incremented. */
function counts(collection = 'c'): number[] {
  const { cursor } = cluster.run({ find: collection, projection: { t: 0 }, sort: { _id: 1 } });
  return cursor.firstBatch.map(({ n }: Document) => n);
}

/** Runs a command, and returns how often it reads the clock. */
function looksOf(command: Document): number {
  const before = looks;
  assert.equal(cluster.run(command).ok, 1);
  return looks - before;
}

/** Runs a command that must fail after this number of readings of the clock. */
function interrupted(command: Document, ms: number): void {
  const { codeName, ...reply } = cluster.run({ ...command, maxTimeMS: Math.trunc(ms) });
  assert.equal(codeName, 'MaxTimeMSExpired', JSON.stringify(reply).slice(0, 200));
}

/** Checks that some of the documents were changed, and that the oplog and the counts agree with them. */
function assertPartial(collection: string, op: string): void {
  const changed = counts(collection).filter((n) => n === 1).length;
  assert.ok(changed > 0 && changed < DOCUMENTS, `${changed}`);
  const pipeline = [{ $match: { ns: `test.${collection}`, op } }, { $count: 'n' }];
  const { cursor } = cluster.run({ $db: 'local', aggregate: 'oplog.rs', pipeline, cursor: {} });
  assert.equal(cursor.firstBatch[0].n, changed);
  assert.deepEqual(cluster.run({ validate: collection }).errors, []);
  cluster.reopen();
  assert.equal(cluster.run({ count: collection }).n, counts(collection).length);
}

describe('a large write', () => {
  it('keeps the parts that it has committed when an update of many documents is interrupted', () => {
    const update = { update: 'c', updates: [{ q: {}, u: increments, multi: true }] };
    const all = looksOf(update);
    cluster.run({ update: 'c', updates: [{ q: {}, u: { $set: { n: 0 }, $unset: { t: 1 } }, multi: true }] });
    interrupted(update, all * 0.8);
    const changed = counts().filter((n) => n === 1).length;
    assert.ok(changed > 0 && changed < DOCUMENTS, `${changed}`);
  });

  it('keeps the counts and the oplog with the parts of $merge', () => {
    const pipeline = [{ $set: { n: 1, t: TEXT } }, { $merge: { into: 'm' } }];
    const merge = { aggregate: 'c', pipeline, cursor: {} };
    const all = looksOf(merge);
    cluster.run({ drop: 'm' });
    const other = { ...merge, pipeline: [pipeline[0], { $merge: { into: 'other' } }] };
    interrupted(other, all * 0.8);
    assertPartial('other', 'i');
  });

  it('repeats none of its statements when it is retried', () => {
    const session = { lsid: { id: new UUID() } };
    cluster.run({ update: 'c', updates: [{ q: {}, u: { $set: { t: TEXT } }, multi: true }] });
    const updates = documents.map(({ _id }) => ({ q: { _id }, u: { $inc: { n: 1 } } }));
    const all = looksOf({ update: 'c', updates, ...session, txnNumber: Long.fromNumber(1) });
    const again = { update: 'c', updates, ...session, txnNumber: Long.fromNumber(2) };
    interrupted(again, all * 0.9);
    const changed = counts().filter((n) => n === 2).length;
    assert.ok(changed > 0 && changed < DOCUMENTS, `${changed}`);
    assert.equal(cluster.run(again).ok, 1);
    assert.deepEqual(new Set(counts()), new Set([2]));
  });

  it('waits for an open transaction, and then changes each document once', () => {
    const session = { lsid: { id: new UUID() }, txnNumber: Long.ONE, autocommit: false };
    const last = { q: { _id: DOCUMENTS - 1 }, u: { $set: { held: true } } };
    cluster.run({ update: 'c', updates: [last], ...session, startTransaction: true });
    const sent = cluster.send(
      { update: 'c', updates: [{ q: {}, u: increments, multi: true }] },
      { connectionId: 2 },
    );
    cluster.worker.runTurn();
    assert.equal('reply' in sent, false);
    cluster.run({ commitTransaction: 1, $db: 'admin', ...session });
    cluster.worker.runTurn();
    assert.equal(sent.reply?.nModified, DOCUMENTS);
    assert.deepEqual(new Set(counts()), new Set([1]));
  });

  it('that begins within a statement of another cluster changes each document once', () => {
    cluster.worker.open(NEIGHBOUR, { dir, unsynced: true }, info);
    const long = { $size: { $map: { input: { $range: [0, 500_000] }, in: '$$this' } } };
    cluster.run({ insert: 'c', documents: [{ _id: 0 }] }, { clusterId: NEIGHBOUR });
    const read = { aggregate: 'c', pipeline: [{ $project: { n: long } }], cursor: {} };
    const around = cluster.send(read, { clusterId: NEIGHBOUR, connectionId: 2 });
    const update = { update: 'c', updates: [{ q: {}, u: increments, multi: true }] };
    let sent = {} as ReturnType<TestCluster['send']>;
    cluster.worker.ports = {
      receive() {
        cluster.worker.ports = { receive() {}, send() {} };
        sent = cluster.send(update, { connectionId: 3, clusterId: CLUSTER_ID });
      },
      send() {},
    };
    for (let turn = 0; turn < 20 && !('reply' in sent); turn++) cluster.worker.runTurn();
    assert.equal(around.reply?.ok, 1);
    assert.equal(sent.reply?.nModified, DOCUMENTS);
    assert.deepEqual(new Set(counts()), new Set([1]));
  });
});
