import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../bson/raw.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { idKey } from '../storage/records/id-key.ts';
import { CopySource, copyFile, positionIn } from './copy.ts';
import { LogGrowth } from './log-growth.ts';

const key = Buffer.alloc(32, 7);

/**
 * The code of a thread that runs a checkpoint. The thread holds SQLite's checkpoint lock until no reader uses an older
 * state of the file. If another connection holds the lock, SQLite returns at once, without regard to the timeout, so the
 * thread tries again.
 */
const code = `
  const { workerData } = require('node:worker_threads');
  import(workerData.module).then(({ Connection }) => {
    const connection = new Connection(workerData.file, { key: workerData.key });
    connection.exec('PRAGMA busy_timeout = 600000');
    const isBusy = () => connection.get('PRAGMA wal_checkpoint(RESTART)')[0] === 1;
    try { while (isBusy()); } finally { connection.close(); }
  });`;

test('a copy of an encrypted file is complete while another thread checkpoints the file', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'copy-'));
  const file = join(dir, FILE_NAME);
  const source = { now: () => 1_700_000_000_000, term: () => 1 };
  const store = ClusterStore.open(dir, systemRandom(), source, { key, unsynced: true });
  const insert = (_id: number) =>
    store.write(() => {
      const birds = store.collection('shop', 'birds') ?? store.create('shop', 'birds', RawDocument.empty);
      const document = RawDocument.from({ _id });
      birds.insert(idKey(document), document);
    });
  insert(1);
  const reader = store.snapshots.take();
  insert(2);
  const module = new URL('../storage/file/connection.ts', import.meta.url).href;
  const other = new Worker(code, { eval: true, workerData: { module, file, key } });
  const ended = new Promise((resolve) => other.on('exit', resolve));
  t.after(() => rmSync(dir, { recursive: true }));
  const looking = new Connection(file, { key });
  const isBusy = () => looking.get<number[]>('PRAGMA wal_checkpoint(PASSIVE)')?.[0] === 1;
  while (!isBusy()) await setImmediate();
  const to = join(dir, 'copy.db');
  await copyFile(file, to, key);
  reader.release();
  await ended;
  looking.close();
  store.close();
  const copy = new Connection(to, { key });
  const [documents] = copy.get<[number]>("SELECT documents FROM collections WHERE name = 'birds'") ?? [];
  copy.close();
  assert.equal(documents, 2);
});

for (const [kind, key] of [
  ['an encrypted', Buffer.alloc(32, 7)],
  ['an unencrypted', undefined],
] as const) {
  test(`a copy of ${kind} file ends if the write-ahead log becomes too long`, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'copy-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const file = join(dir, FILE_NAME);
    const times = { now: () => 1_700_000_000_000, term: () => 1 };
    const store = ClusterStore.open(dir, systemRandom(), times, { key, unsynced: true });
    t.after(() => store.close());
    const insert = (_id: number, bytes: number) =>
      store.write(() => {
        const birds = store.collection('shop', 'birds') ?? store.create('shop', 'birds', RawDocument.empty);
        const document = RawDocument.from({ _id, text: 'x'.repeat(bytes) });
        birds.insert(idKey(document), document);
      });
    // One step copies fewer bytes than these.
    insert(1, 12_000_000);
    const copyWhile = async (name: string, write: () => void) => {
      const source = new CopySource(file, key, positionIn, new LogGrowth(file, 4_000_000));
      try {
        source.fix();
        write();
        return await source.copyTo(join(dir, name));
      } finally {
        source.close();
      }
    };
    await assert.rejects(
      copyWhile('ended.db', () => {
        for (let id = 2; id < 8; id++) insert(id, 8_000_000);
      }),
      { message: `${file} is written faster than it can be copied` },
    );
    const copied = await copyWhile('complete.db', () => insert(8, 1_000));
    assert.equal(copied.seconds, 1_700_000_000);
  });
}
