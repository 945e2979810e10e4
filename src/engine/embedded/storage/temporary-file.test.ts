import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { emptyTemporary, TemporaryFile } from './temporary-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'temporary-file-'));
after(() => rmSync(dir, { recursive: true, force: true }));

test('a temporary file gives back what was put into it', () => {
  const file = new TemporaryFile(dir);
  assert.equal(file.append(Buffer.from('one')), 0);
  assert.equal(file.append(Buffer.from('two three')), 3);
  assert.equal(Buffer.from(file.read(3, 3)).toString(), 'two');
  assert.equal(Buffer.from(file.read(0, 12)).toString(), 'onetwo three');
  file.close();
  assert.deepEqual(readdirSync(join(dir, 'temporary')), []);
});

test('what an earlier process has left is removed', () => {
  const folder = join(dir, 'temporary');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'left'), 'x');
  emptyTemporary(dir);
  assert.equal(existsSync(folder), false);
});
