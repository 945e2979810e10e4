import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { folderStore } from '../../../runtime/objects/folder.ts';
import { TestObjects } from '../testing.ts';
import { Archives } from './archives.ts';

const of = { clusterId: 'cluster', id: 'job' };
const MEGABYTE = 1024 * 1024;

test('a reader that takes its time has one part of an archive in memory, and gets all of it', async () => {
  const objects = new TestObjects();
  const archives = new Archives(objects, of);
  const whole = randomBytes(20 * MEGABYTE);
  const { bytes } = await archives.keep(
    0,
    (async function* () {
      for (let at = 0; at < whole.length; at += MEGABYTE) yield whole.subarray(at, at + MEGABYTE);
    })(),
    async () => {},
  );
  let read = 0;
  objects.trouble = (call) => void (call === 'get' && read++);
  const stream = archives.stream(0, 0, bytes - 1);
  const pieces: Buffer[] = [];
  for await (const piece of stream) {
    pieces.push(piece);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    assert.ok(read <= pieces.length + 1, `${read} parts for ${pieces.length} pieces`);
  }
  assert.ok(Buffer.concat(pieces).equals(whole));
});

test('a part that was cut off goes with its archive', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-archives-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, 'cluster', 'downloads', 'job');
  mkdirSync(own, { recursive: true });
  for (const name of ['0-0', '0-1.new']) writeFileSync(join(own, name), 'part');
  await new Archives(folderStore(folder), of).remove();
  assert.deepEqual(readdirSync(own), []);
});
