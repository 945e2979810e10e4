import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { serviceClock } from '@portolan/foundation/clock';
import { Long, UUID } from 'bson';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { dropLeftovers, leftovers } from '../storage/file/leftovers.ts';
import type { LogWork } from '../storage/file/write-ahead-log.ts';
import { Checkpoints } from './checkpoints.ts';
import { WorkerPorts } from './ports.ts';
import type { ControlAnswer } from './protocol.ts';
import { CLUSTER_ID, info, type Sent, TestCluster } from './testing.ts';

const MB = 1024 * 1024;
/** Each document adds 2 MB to the WAL: 1 MB to the collection, and 1 MB to the oplog. */
const documents = (count = 1) => Array.from({ length: count }, () => ({ text: 'x'.repeat(MB) }));

/** Checkpoints that end when the test says so. */
class HeldCheckpoints {
  readonly limits = { checkpointed: 100, rest: 10, full: 900, held: 2_000 };
  readonly files: string[] = [];
  #end = () => {};
  #running: Promise<void> | undefined;
  dropsTables = false;

  run(_: string, { dir }: { readonly dir: string }, { dropsTables }: LogWork, ended: () => void): void {
    this.files.push(dir);
    this.dropsTables = dropsTables;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#end = () => {
      resolve();
      ended();
    };
  }

  running(): Promise<void> | undefined {
    return this.#running;
  }

  async end(dir: string): Promise<void> {
    const other = new Connection(join(dir, FILE_NAME));
    if (this.dropsTables) dropLeftovers(other);
    other.get('PRAGMA wal_checkpoint(PASSIVE)');
    other.close();
    this.#running = undefined;
    this.#end();
    await setImmediate();
  }
}

function started(t: TestContext) {
  const checkpoints = new HeldCheckpoints();
  const cluster = new TestCluster({ checkpoints }, { unsynced: true });
  t.after(() => cluster.remove());
  return { checkpoints, cluster };
}

/** Fills the WAL beyond its limit. */
function fill(cluster: TestCluster): void {
  for (let batch = 0; batch < 4; batch++) cluster.run({ insert: 'c', documents: documents() });
}

describe('the build of a large index', () => {
  /** Creates a collection of which an index has 40 MB. */
  async function filled(t: TestContext) {
    const { checkpoints, cluster } = started(t);
    for (let batch = 0; batch < 40; batch++) {
      const documents = Array.from({ length: 64 }, (_, i) => ({
        text: `${(i * 7) % 64}-${batch}-`.padEnd(MB / 64, 'x'),
      }));
      cluster.run({ insert: 'c', documents });
      await ended(checkpoints, cluster);
    }
    return { checkpoints, cluster, file: join(cluster.dir, FILE_NAME) };
  }

  async function ended(checkpoints: HeldCheckpoints, cluster: TestCluster): Promise<void> {
    while (checkpoints.running() !== undefined) await checkpoints.end(cluster.dir);
  }

  const create = (unique: boolean, ...more: string[]) => ({
    createIndexes: 'c',
    indexes: ['text', ...more].map((name) => ({
      key: { [name]: 1 },
      name,
      ...(name !== 'text' && { unique }),
    })),
  });

  /** Runs a command, and returns its reply and the largest number of tables that were left over while it ran. */
  function watched(cluster: TestCluster, file: string, command: object) {
    const { monotonic } = cluster.clock;
    let [looks, most] = [0, 0];
    cluster.clock.monotonic = () => {
      if (++looks % 50 === 0) most = Math.max(most, leftIn(file));
      return monotonic();
    };
    const reply = cluster.run(command);
    cluster.clock.monotonic = monotonic;
    return { reply, most };
  }

  it('is committed in pieces, and the index appears when it is complete', async (t) => {
    const { cluster, file } = await filled(t);
    const { reply, most } = watched(cluster, file, create(false, 'other'));
    assert.equal(reply.numIndexesAfter, 3);
    assert.equal(most, 1);
    assert.equal(leftIn(file), 0);
    const hinted = { find: 'c', filter: { text: /^63-39-/ }, hint: 'text', projection: { _id: 1 } };
    assert.equal(cluster.run(hinted).cursor.firstBatch.length, 1);
    assert.equal(cluster.run({ validate: 'c', full: true }).valid, true);
  });

  it('leaves no index if a later index of the command fails', async (t) => {
    const { checkpoints, cluster, file } = await filled(t);
    const { reply, most } = watched(cluster, file, create(true, 'other'));
    assert.equal(reply.codeName, 'DuplicateKey');
    assert.deepEqual([most, leftIn(file)], [1, 1]);
    assert.equal(cluster.run({ listIndexes: 'c' }).cursor.firstBatch.length, 1);
    await ended(checkpoints, cluster);
    assert.equal(leftIn(file), 0);
  });
});

/** Returns the number of tables that are left over in a file. */
function leftIn(file: string, key?: Uint8Array): number {
  const connection = new Connection(file, { key });
  const { length } = leftovers(connection);
  connection.close();
  return length;
}

const isDone = ({ reply }: Sent) => reply?.ok === 1;

describe('writes of a cluster', () => {
  it('leave the checkpoint of the file to another thread', async (t) => {
    const { checkpoints, cluster } = started(t);
    cluster.run({ insert: 'c', documents: documents() });
    assert.deepEqual(checkpoints.files, [cluster.dir]);
    // The pages are still in the WAL.
    assert.ok(statSync(join(cluster.dir, FILE_NAME)).size < MB);
    await checkpoints.end(cluster.dir);
    assert.ok(statSync(join(cluster.dir, FILE_NAME)).size > 2 * MB);
  });

  it('wait while the log is full, and reads do not', async (t) => {
    const { checkpoints, cluster } = started(t);
    fill(cluster);
    const waiting = cluster.send({ insert: 'd', documents: [{ _id: 1 }] });
    cluster.worker.runTurn();
    assert.equal(isDone(waiting), false);
    assert.equal(cluster.run({ count: 'd' }, { connectionId: 2 }).n, 0);
    await checkpoints.end(cluster.dir);
    await setImmediate();
    assert.equal(isDone(waiting), true);
    assert.equal(cluster.run({ count: 'd' }).n, 1);
  });

  it('that wait for the log run before the cluster closes', (t) => {
    const { cluster } = started(t);
    fill(cluster);
    const waiting = cluster.send({ insert: 'd', documents: [{ _id: 1 }] });
    cluster.worker.runTurn();
    assert.equal(isDone(waiting), false);
    void cluster.worker.close(CLUSTER_ID);
    assert.equal(isDone(waiting), true);
  });
});

describe('a cluster', () => {
  it('is closed when the other thread has closed the file', async (t) => {
    const { checkpoints, cluster } = started(t);
    const { port1: host, port2: control } = new MessageChannel();
    t.after(() => host.close());
    const answers: string[] = [];
    host.on('message', ({ kind }: ControlAnswer) => answers.push(kind));
    new WorkerPorts(cluster.worker, serviceClock(cluster.clock), control);
    cluster.run({ insert: 'c', documents: documents() });
    host.postMessage({ kind: 'close', clusterId: CLUSTER_ID });
    host.postMessage({ kind: 'report' });
    while (answers.length === 0) await setImmediate();
    assert.deepEqual(answers, ['reported']);
    await checkpoints.end(cluster.dir);
    while (answers.length === 1) await setImmediate();
    assert.deepEqual(answers, ['reported', 'closed']);
  });
});

it('the end of a checkpoint is noticed in the middle of a statement, when the event loop does not run', async (t) => {
  const checkpoints = new Checkpoints();
  const cluster = new TestCluster({ checkpoints }, { unsynced: true });
  t.after(() => cluster.remove());
  const clusterId = '65f0c0ffee65f0c0ffee0002';
  cluster.worker.open(clusterId, { dir: join(cluster.dir, 'sub'), unsynced: true }, info);
  const insert = { insert: 'c', documents: documents(10) };
  cluster.run(insert, { clusterId });
  assert.ok(checkpoints.running(clusterId));
  await checkpoints.running(clusterId);
  cluster.run(insert, { clusterId });
  assert.ok(checkpoints.running(clusterId));
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; checkpoints.running(clusterId) !== undefined && tries < 60_000; tries++) {
    Atomics.wait(never, 0, 0, 1);
    checkpoints.receive();
  }
  assert.equal(checkpoints.running(clusterId), undefined);
});

it('a long log is not checkpointed by the thread that closes the cluster', async (t) => {
  const { checkpoints, cluster } = started(t);
  const size = () => statSync(join(cluster.dir, FILE_NAME)).size;
  cluster.run({ insert: 'c', documents: [{ text: 'x'.repeat(MB / 16) }] });
  assert.deepEqual(checkpoints.files, []);
  const before = size();
  const closed = cluster.worker.close(CLUSTER_ID);
  assert.deepEqual(checkpoints.files, [cluster.dir]);
  assert.equal(size(), before);
  await checkpoints.end(cluster.dir);
  await closed;
  assert.ok(size() > before + MB / 16);
  assert.equal(existsSync(join(cluster.dir, `${FILE_NAME}-wal`)), false);
});

describe('readers of an old state', () => {
  /** Writes until the WAL is longer than `held`. At this length, readers of an old state must end. */
  async function fillHeld(checkpoints: HeldCheckpoints, cluster: TestCluster): Promise<void> {
    for (let batch = 0; batch < 12; batch++) {
      cluster.run({ insert: 'd', documents: documents() }, { connectionId: 9 });
      if (checkpoints.running() !== undefined) await checkpoints.end(cluster.dir);
    }
  }

  it('end when they hold a long log', async (t) => {
    const { checkpoints, cluster } = started(t);
    cluster.run({ insert: 'c', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] });
    const lsid = { id: new UUID() };
    const transaction = { lsid, txnNumber: Long.ONE, autocommit: false };
    cluster.run({ find: 'c', ...transaction, startTransaction: true });
    const { cursor } = cluster.run({ find: 'c', batchSize: 1, readConcern: { level: 'snapshot' } });
    await fillHeld(checkpoints, cluster);
    const more = { getMore: cursor.id, collection: 'c' };
    assert.equal(cluster.run(more).codeName, 'CursorNotFound');
    assert.equal(
      cluster.run({ find: 'c', readConcern: { level: 'snapshot', atClusterTime: cursor.atClusterTime } })
        .codeName,
      'SnapshotTooOld',
    );
    const reply = cluster.run({ find: 'c', ...transaction });
    assert.equal(reply.codeName, 'NoSuchTransaction');
    assert.deepEqual(reply.errorLabels, ['TransientTransactionError']);
    const log = () => statSync(join(cluster.dir, `${FILE_NAME}-wal`)).size;
    const before = log();
    await fillHeld(checkpoints, cluster);
    assert.ok(log() < before * 1.5, `${before} ${log()}`);
  });
});

describe('the tables of a large collection that is dropped', () => {
  /** Creates a collection of 17 MB with an index. */
  async function filled(t: TestContext) {
    const { checkpoints, cluster } = started(t);
    cluster.run({ createIndexes: 'large', indexes: [{ key: { text: 'hashed' }, name: 'text' }] });
    for (let batch = 0; batch < 17; batch++) {
      cluster.run({ insert: 'large', documents: documents() });
      if (checkpoints.running() !== undefined) await checkpoints.end(cluster.dir);
    }
    return { checkpoints, cluster, file: join(cluster.dir, FILE_NAME) };
  }

  const insert = { insert: 'large', documents: [{ _id: 1 }] };
  const namesIn = (cluster: TestCluster) =>
    cluster
      .run({ listCollections: 1 }, { connectionId: 2 })
      .cursor.firstBatch.map(({ name }: { name: string }) => name);

  it('are dropped by another thread, for which writes wait and reads do not', async (t) => {
    const { checkpoints, cluster, file } = await filled(t);
    assert.equal(cluster.run({ drop: 'large' }).ok, 1);
    assert.deepEqual([checkpoints.dropsTables, leftIn(file)], [true, 2]);
    const waiting = cluster.send(insert);
    cluster.worker.runTurn();
    assert.equal(isDone(waiting), false);
    assert.deepEqual(namesIn(cluster), []);
    await checkpoints.end(cluster.dir);
    cluster.worker.runTurn();
    assert.ok(isDone(waiting));
    assert.equal(leftIn(file), 0);
    assert.equal(cluster.run({ count: 'large' }).n, 1);
  });

  it('are dropped after the next start if the process dies before', async (t) => {
    const { checkpoints, cluster, file } = await filled(t);
    cluster.run({ dropIndexes: 'large', index: 'text' });
    assert.equal(leftIn(file), 1);
    cluster.reopen();
    assert.deepEqual([checkpoints.dropsTables, leftIn(file)], [true, 1]);
    await checkpoints.end(cluster.dir);
    assert.equal(leftIn(file), 0);
    assert.equal(cluster.run({ count: 'large' }).n, 17);
  });

  it('stay if the drop is rolled back, and those of small collections are dropped at once', async (t) => {
    const { checkpoints, cluster, file } = await filled(t);
    cluster.run({ insert: 'small', documents: [{ _id: 1 }] });
    if (checkpoints.running() !== undefined) await checkpoints.end(cluster.dir);
    cluster.run({ drop: 'small' });
    assert.deepEqual([checkpoints.dropsTables, leftIn(file)], [false, 0]);
    const { monotonic } = cluster.clock;
    let looks = 0;
    cluster.clock.monotonic = () => looks++;
    assert.equal(cluster.run({ drop: 'large', maxTimeMS: 1 }).codeName, 'MaxTimeMSExpired');
    cluster.clock.monotonic = monotonic;
    if (checkpoints.running() !== undefined) await checkpoints.end(cluster.dir);
    assert.equal(cluster.run({ count: 'large' }).n, 17);
    assert.equal(leftIn(file), 0);
  });
});

for (const [title, key] of Object.entries({ plain: undefined, encrypted: Buffer.alloc(32, 7) }))
  it(`the thread of checkpoints copies the log into the file, drops tables, and closes the file (${title})`, async (t) => {
    const checkpoints = new Checkpoints();
    const cluster = new TestCluster({ checkpoints }, { unsynced: true });
    t.after(() => cluster.remove());
    void cluster.worker.close(CLUSTER_ID);
    cluster.worker.open(
      '65f0c0ffee65f0c0ffee0002',
      { dir: join(cluster.dir, 'sub'), key, unsynced: true },
      info,
    );
    const other = { clusterId: '65f0c0ffee65f0c0ffee0002' };
    const ended = async () => {
      while (checkpoints.running(other.clusterId) !== undefined) await checkpoints.running(other.clusterId);
    };
    const file = join(cluster.dir, 'sub', FILE_NAME);
    cluster.run({ insert: 'c', documents: documents(15) }, other);
    await ended();
    // The write is committed in parts. If the thread copied only the first part, the next commit continues.
    while (statSync(file).size < 30 * MB) {
      cluster.run({ insert: 'c', documents: [{}] }, other);
      await ended();
    }
    cluster.run({ insert: 'c', documents: documents(15) }, other);
    await ended();
    cluster.run({ drop: 'c' }, other);
    await ended();
    assert.equal(leftIn(file, key), 0);
    cluster.run({ insert: 'c', documents: documents(15) }, other);
    await cluster.worker.close(other.clusterId);
    assert.equal(existsSync(`${file}-wal`), false);
  });
