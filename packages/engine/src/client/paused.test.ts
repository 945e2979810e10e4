import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment } from '../interface/engine.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { deploymentSpec } from '../testing.ts';
import { createEmbeddedEngine } from './engine.ts';
import { eventually } from './testing/eventually.ts';
import { startHost } from './testing/host.ts';

const random = systemRandom();
const dataDir = mkdtempSync(join(tmpdir(), 'portolan-paused-'));
const ports = await enginePorts();
const engine = createEmbeddedEngine({
  dataDir,
  startHost,
  log: silentLog(),
  ports,
});
const directoryOf = (id: string) => join(dataDir, 'engine', 'clusters', id);
const isLinux = process.platform === 'linux';

after(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function provision(index: number): Promise<Deployment> {
  const scram = await scramCredentials('ada', 'pencil', random);
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
  return engine.provision(deploymentSpec({ id: String(index).padStart(24, '0'), access }));
}

async function fill({ members }: Deployment, documents: number): Promise<void> {
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  const client = new MongoClient(`mongodb://ada:pencil@${hosts}/?replicaSet=set-1-shard-0`, LONG_TIMEOUTS);
  try {
    const things = client.db('shop').collection<{ _id: number; pad: string }>('things');
    for (let from = 0; from < documents; from += 1_000) {
      await things.insertMany(
        Array.from({ length: 1_000 }, (_, i) => ({ _id: from + i, pad: 'x'.repeat(1_000) })),
      );
    }
  } finally {
    await client.close();
  }
}

/** Returns the files below a directory that the host has open. */
async function openFiles(directory: string): Promise<string[]> {
  const handles = `/proc/${(await engine.status()).pid}/fd`;
  return readdirSync(handles).flatMap((handle) => {
    try {
      const target = readlinkSync(join(handles, handle));
      return target.startsWith(directory) ? [target] : [];
    } catch {
      // The file was closed meanwhile.
      return [];
    }
  });
}

suite('the files of a cluster', () => {
  test('are closed during a pause, and the write-ahead log is gone', async () => {
    const made = await provision(1);
    await fill(made, 1_000);
    const directory = directoryOf(made.id);
    if (isLinux) assert.ok((await openFiles(directory)).length > 0);
    await engine.pause(made.id);
    if (isLinux) assert.deepEqual(await openFiles(directory), []);
    assert.equal(existsSync(join(directory, `${FILE_NAME}-wal`)), false);
    assert.equal((await engine.resume(made.id)).state, 'running');
  });

  test('are checked after a crash of the host, and damage fails only its own cluster', async () => {
    const [damaged, sound] = [await provision(2), await provision(3)];
    await fill(damaged, 30_000);
    await fill(sound, 1_000);
    process.kill((await engine.status()).pid, 'SIGKILL');
    const file = join(directoryOf(damaged.id), FILE_NAME);
    const handle = openSync(file, 'r+');
    const middle = Math.floor(statSync(file).size / 8_192 / 2);
    for (let page = 0; page < 20; page++)
      writeSync(handle, Buffer.alloc(8_192, 0xab), 0, 8_192, (middle + page) * 8_192);
    closeSync(handle);

    // The check takes a long time on a busy machine.
    const found = await eventually(
      () => engine.describe(damaged.id),
      (one) => one?.state === 'failed',
    );
    assert.equal(found?.state, 'failed');
    assert.ok(found.message?.includes(`${file} is damaged`), found.message);
    assert.equal((await engine.describe(sound.id))?.state, 'running');
    assert.match(
      (await engine.resume(damaged.id)).message ?? '',
      /remove cluster\.db\.check-failed to open it/,
    );
    assert.ok(statSync(file).size > 0);
  });
});
