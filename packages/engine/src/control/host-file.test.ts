import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hostFilePath, isHostFileGone, makeEngineDirectory } from './host-file.ts';

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'host-file-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  makeEngineDirectory(path);
  return path;
}

test('the file of a host counts as gone if it is missing or belongs to another host', (t) => {
  const path = directory(t);
  assert.equal(isHostFileGone(path, 'mine'), true);
  writeFileSync(hostFilePath(path), '{"port": 1, "token": "mine"}');
  assert.equal(isHostFileGone(path, 'mine'), false);
  assert.equal(isHostFileGone(path, 'other'), true);
  rmSync(path, { recursive: true });
  assert.equal(isHostFileGone(path, 'mine'), true);
});

test('an unreadable file does not count as gone', (t) => {
  const path = directory(t);
  mkdirSync(hostFilePath(path));
  assert.throws(() => isHostFileGone(path, 'mine'), { code: 'EISDIR' });
  rmSync(hostFilePath(path), { recursive: true });
  writeFileSync(hostFilePath(path), '');
  assert.throws(() => isHostFileGone(path, 'mine'), SyntaxError);
});
