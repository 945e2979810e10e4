import assert from 'node:assert/strict';
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Deployment } from '../interface/engine.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { type StartedEngine, startEngine } from './testing/engine.ts';
import { eventually } from './testing/eventually.ts';

const PAGE = 8_192;
/** The offset of the first free page's number in the header of a file (sqlite.org/fileformat.html). */
const FIRST_FREE_PAGE = 32;

let started: StartedEngine;
before(async () => {
  started = await startEngine('damaged');
});
after(() => started.stop());

/** Opens the deployment repeatedly until the deployment has this state. A service does the same after a failure. */
async function untilState(state: Deployment['state']): Promise<Deployment> {
  const found = await eventually(
    () => started.engine.provision(started.spec),
    (deployment) => deployment.state === state,
  );
  assert.equal(found.state, state, found.message);
  return found;
}

test('damage that a write meets closes the cluster, and an intact file in its place opens it again', async () => {
  const { engine, clusterId, directory, connect } = started;
  const file = join(directory, FILE_NAME);
  const note = `${file}.check-failed`;
  const things = connect().db('shop').collection<{ _id: number; pad: string }>('things');
  const batch = Array.from({ length: 2_000 }, (_, _id) => ({ _id, pad: 'x'.repeat(1_000) }));
  await things.insertMany(batch);
  await things.deleteMany({});
  await engine.pause(clusterId);
  const intact = join(started.dataDir, 'intact.db');
  copyFileSync(file, intact);
  const handle = openSync(file, 'r+');
  const page = readFileSync(file).readUInt32BE(FIRST_FREE_PAGE);
  assert.ok(page > 1, 'the file has no free pages');
  writeSync(handle, Buffer.alloc(PAGE, 0xab), 0, PAGE, (page - 1) * PAGE);
  closeSync(handle);

  assert.equal((await engine.resume(clusterId)).state, 'running');
  assert.equal(await things.countDocuments(), 0);
  await assert.rejects(things.insertMany(batch), { code: 301, codeName: 'DataCorruptionDetected' });
  const failed = await engine.describe(clusterId);
  assert.deepEqual(
    [failed?.state, failed?.message],
    [
      'failed',
      `${file} is damaged; put an intact file in its place, or remove cluster.db.check-failed to open it nevertheless`,
    ],
  );
  assert.ok(existsSync(note));
  assert.equal((await engine.provision(started.spec)).message, failed?.message);

  renameSync(intact, file);
  await untilState('running');
  assert.equal(existsSync(note), false);
  await things.insertMany(batch);
  assert.equal(await things.countDocuments(), 2_000);
});
