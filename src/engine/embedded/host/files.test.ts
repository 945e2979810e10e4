import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { machineClock } from '../../../runtime/clock.ts';
import { writeAtomically } from './atomic-file.ts';
import { AlreadyRunning, lock } from './lock.ts';
import { logFile } from './log-file.ts';
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

test('the log is JSON lines, and no more than two files of the given size', () => {
  const path = join(directory, 'host.log');
  const log = logFile(path, machineClock(), 1_000).child({ part: 'test' });
  for (let i = 0; i < 100; i++) log.info({ i }, 'a line');
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    { ...lines.at(-1), time: '' },
    { time: '', level: 'info', part: 'test', i: 99, message: 'a line' },
  );
  assert.ok(statSync(path).size <= 1_000);
  assert.ok(statSync(`${path}.1`).size <= 1_000);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a log that cannot be written is no error', () => {
  logFile(join(directory, 'nowhere', 'host.log'), machineClock()).error({}, 'lost');
});

test('an atomic write leaves one file that only its owner can read', async () => {
  const inner = mkdtempSync(join(directory, 'atomic-'));
  await writeAtomically(join(inner, 'file'), 'one');
  await writeAtomically(join(inner, 'file'), 'two');
  assert.deepEqual(readdirSync(inner), ['file']);
  assert.equal(readFileSync(join(inner, 'file'), 'utf8'), 'two');
  assert.equal(statSync(join(inner, 'file')).mode & 0o777, 0o600);
});

test('a record that is damaged or newer is refused by name', async () => {
  const path = join(directory, 'deployment.json');
  writeFileSync(path, '{"format": 2, "sp');
  await assert.rejects(readRecord(directory), { message: `${path} is damaged` });
  writeFileSync(path, '{"format": 3}');
  await assert.rejects(readRecord(directory), { message: `${path} has the format 3, not 2` });
});
