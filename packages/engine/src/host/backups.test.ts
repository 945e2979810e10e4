import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { digestsOf } from '../backup/digests.ts';
import { type CollectionDigest, framesOf, type SnapshotFrame } from '../interface/snapshot.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { TestCluster } from '../worker/testing.ts';
import { Backups } from './backups.ts';

const never = new AbortController().signal;

suite('backups', () => {
  const backups = new Backups();
  const cluster = new TestCluster();
  let held: readonly CollectionDigest[];
  before(() => {
    const text = 'x'.repeat(400_000);
    const documents = Array.from({ length: 8 }, (_, _id) => ({ _id, text: `${_id}${text}` }));
    cluster.run({ insert: 'ports', documents, $db: 'test' });
    held = digestsOf(join(cluster.dir, FILE_NAME));
  });
  let threads = 0;
  const count = (worker: Worker) => {
    threads++;
    worker.once('exit', () => threads--);
  };
  process.on('worker', count);
  after(async () => {
    process.off('worker', count);
    await backups.stop();
    assert.equal(threads, 0);
    cluster.remove();
  });

  const take = (signal = never) => backups.take({ directory: cluster.dir, known: [] }, signal);

  async function framesOfWhole(signal?: AbortSignal): Promise<SnapshotFrame[]> {
    const frames: SnapshotFrame[] = [];
    for await (const frame of framesOf(take(signal))) frames.push(frame);
    return frames;
  }

  async function isTakenWhole(): Promise<void> {
    const last = (await framesOfWhole()).at(-1);
    assert.ok(last?.kind === 'end');
    assert.deepEqual(last.end.collections, held);
  }

  test('that run one after another share one thread, which ends when idle', async () => {
    await isTakenWhole();
    assert.equal(threads, 1);
    await isTakenWhole();
    assert.deepEqual(await backups.digests(cluster.dir, undefined), held);
    assert.equal(threads, 1);
    // The first call keeps the thread, because it was used a moment ago. The second call ends it.
    await backups.endIfIdle();
    assert.equal(threads, 1);
    await backups.endIfIdle();
    assert.equal(threads, 0);
    await isTakenWhole();
  });

  test('that run at the same time have a thread each', async () => {
    const [one, other] = await Promise.all([framesOfWhole(), framesOfWhole()]);
    assert.deepEqual(one, other);
    assert.equal(threads, 1);
  });

  test('that are abandoned or fail do not affect the next one', async () => {
    const cancelled = new AbortController();
    const pieces = take(cancelled.signal);
    await pieces.next();
    cancelled.abort();
    await assert.rejects(pieces.next(), /its caller has cancelled/);
    await isTakenWhole();
    const left = take();
    await left.next();
    await left.return(undefined);
    await isTakenWhole();
    const broken = (async function* () {
      yield Buffer.from('no frame');
    })();
    const staged = backups.stage({ directory: cluster.dir }, broken, never, async () => {});
    await assert.rejects(staged);
    await isTakenWhole();
    const temporary = join(cluster.dir, 'temporary');
    assert.deepEqual(existsSync(temporary) ? readdirSync(temporary) : [], []);
  });

  test('that have finished are not ended if the caller aborts later', async () => {
    const controller = new AbortController();
    await framesOfWhole(controller.signal);
    const next = take();
    await next.next();
    controller.abort();
    assert.equal((await next.next()).done, false);
    await next.return(undefined);
  });
});
