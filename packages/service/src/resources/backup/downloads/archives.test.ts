import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { folderStore } from '../../../objects/folder.ts';
import { BackupDamaged } from '../chunk-store/chunk-store.ts';
import { TestObjects } from '../testing.ts';
import { Archives } from './archives.ts';

const of = { clusterId: 'cluster', id: 'job' };
const MEGABYTE = 1024 * 1024;

test('a slow reader has one part of an archive in memory, and receives the whole archive', async () => {
  const objects = new TestObjects();
  const archives = new Archives(objects, of);
  const whole = randomBytes(20 * MEGABYTE);
  const archive = await archives.keep(
    0,
    (async function* () {
      for (let at = 0; at < whole.length; at += MEGABYTE) yield whole.subarray(at, at + MEGABYTE);
    })(),
    async () => {},
  );
  let read = 0;
  objects.trouble = (call) => void (call === 'get' && read++);
  const stream = await archives.stream(0, archive, { first: 0, last: archive.bytes - 1 });
  const pieces: Buffer[] = [];
  for await (const piece of stream) {
    pieces.push(piece);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    assert.ok(read <= pieces.length + 1, `${read} parts read for ${pieces.length} pieces`);
  }
  assert.ok(Buffer.concat(pieces).equals(whole));
});

test('an incomplete part is removed with its archive', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-archives-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, 'cluster', 'downloads', 'job');
  mkdirSync(own, { recursive: true });
  for (const name of ['0-0', '0-1.new']) writeFileSync(join(own, name), 'part');
  await new Archives(folderStore(folder), of).remove();
  assert.deepEqual(readdirSync(own), []);
});

test('a lost or altered part is detected, before or during the download', async () => {
  const objects = new TestObjects();
  const archives = new Archives(objects, of);
  const whole = randomBytes(9 * MEGABYTE);
  const archive = await archives.keep(1, Readable.from([whole]), async () => {});
  assert.equal(archive.parts?.length, 3);
  const last = whole.length - 1;
  const key = 'cluster/downloads/job/1-1';
  const kept = objects.content.get(key) ?? whole;
  const flipped = Buffer.from(kept);
  flipped.writeUInt8(flipped.readUInt8(7) ^ 1, 7);
  for (const content of [undefined, flipped, kept.subarray(1)]) {
    if (content === undefined) objects.content.delete(key);
    else objects.content.set(key, content);
    await assert.rejects(archives.stream(1, archive, { first: 5 * MEGABYTE, last }), BackupDamaged);
    const stream = await archives.stream(1, archive, { first: 10, last });
    await assert.rejects(stream.toArray(), BackupDamaged);
  }
  objects.content.set(key, kept);
  const pieces = await (await archives.stream(1, archive, { first: 10, last })).toArray();
  assert.ok(Buffer.concat(pieces).equals(whole.subarray(10)));
});
