import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeAtomically } from './atomic-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'portolan-atomic-'));
after(() => rmSync(directory, { recursive: true }));

test('an atomic write leaves one file that only its owner can read', async () => {
  const inner = mkdtempSync(join(directory, 'atomic-'));
  await writeAtomically(join(inner, 'file'), 'one');
  await writeAtomically(join(inner, 'file'), 'two');
  assert.deepEqual(readdirSync(inner), ['file']);
  assert.equal(readFileSync(join(inner, 'file'), 'utf8'), 'two');
  assert.equal(statSync(join(inner, 'file')).mode & 0o777, 0o600);
});

test('a write replaces the remains of a crash', async () => {
  const inner = mkdtempSync(join(directory, 'atomic-'));
  writeFileSync(join(inner, 'file.new'), 'cut off in the midd', { mode: 0o600 });
  await writeAtomically(join(inner, 'file'), 'one');
  assert.deepEqual(readdirSync(inner), ['file']);
  assert.equal(readFileSync(join(inner, 'file'), 'utf8'), 'one');
});

test('a file can be readable by others', async () => {
  await writeAtomically(join(directory, 'public'), 'text', 0o644);
  assert.equal(statSync(join(directory, 'public')).mode & 0o777, 0o644 & ~process.umask());
});

test('a failed write keeps the old file', async () => {
  const inner = mkdtempSync(join(directory, 'atomic-'));
  await writeAtomically(join(inner, 'file'), 'one');
  mkdirSync(join(inner, 'file.new'));
  await assert.rejects(writeAtomically(join(inner, 'file'), 'two'), { code: 'EISDIR' });
  assert.equal(readFileSync(join(inner, 'file'), 'utf8'), 'one');
});
