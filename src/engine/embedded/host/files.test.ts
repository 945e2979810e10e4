import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AlreadyRunning, lock } from './lock.ts';
import { readRecord } from './record.ts';

const directory = mkdtempSync(join(tmpdir(), 'portolan-host-files-'));
after(() => rmSync(directory, { recursive: true }));

test('a lock is held until it is released', () => {
  const path = join(directory, 'host.lock');
  const first = lock(path);
  assert.throws(() => lock(path), AlreadyRunning);
  first.release();
  lock(path).release();
});

test('a record that is damaged or newer is refused by name', async () => {
  const path = join(directory, 'deployment.json');
  writeFileSync(path, '{"format": 2, "sp');
  await assert.rejects(readRecord(directory), { message: `${path} is damaged` });
  writeFileSync(path, '{"format": 3}');
  await assert.rejects(readRecord(directory), { message: `${path} has the format 3, not 2` });
});
