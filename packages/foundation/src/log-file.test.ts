import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { machineClock } from './clock.ts';
import { logFile } from './log-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'portolan-log-'));
after(() => rmSync(directory, { recursive: true }));

test('the log is JSON lines in at most two files of the given size', () => {
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

test('a log that cannot be written causes no error', () => {
  logFile(join(directory, 'nowhere', 'host.log'), machineClock()).error({}, 'lost');
});
