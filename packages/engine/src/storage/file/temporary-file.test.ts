import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { emptyTemporary, TemporaryFile } from './temporary-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'temporary-file-'));
after(() => rmSync(dir, { recursive: true, force: true }));

test('a temporary file returns what was written', () => {
  const file = new TemporaryFile(dir);
  assert.equal(file.append(Buffer.from('one')), 0);
  assert.equal(file.append(Buffer.from('two three')), 3);
  assert.equal(Buffer.from(file.read(3, 3)).toString(), 'two');
  assert.equal(Buffer.from(file.read(0, 12)).toString(), 'onetwo three');
  file.close();
  assert.deepEqual(readdirSync(join(dir, 'temporary')), []);
});

test('a temporary file that has been cut short is unreadable', () => {
  const file = new TemporaryFile(dir);
  file.append(Buffer.from('one'));
  assert.throws(() => file.read(1, 3), /cannot be read: it ends too early/);
  file.close();
});

test('with a key, its content on disk is encrypted', () => {
  const file = new TemporaryFile(dir, new Uint8Array(32).fill(7));
  const held: Array<[number, string]> = [];
  for (const text of ['eelgrass', 'a', 'lamprey'.repeat(1_000), 'cormorant', '']) {
    held.push([file.append(Buffer.from(text)), text]);
  }
  for (const [at, text] of held) assert.equal(Buffer.from(file.read(at, text.length)).toString(), text);
  for (const path of withoutNames()) {
    assert.doesNotMatch(readFileSync(path, 'latin1'), /eelgrass|lamprey|cormorant/);
  }
  file.close();
});

/** Returns the unlinked files that this process has open, on systems that list them. */
function withoutNames(): string[] {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return [];
  const opened = readdirSync(folder).map((name) => join(folder, name));
  const found = opened.filter((path) => linkOf(path).startsWith(dir));
  assert.equal(found.length, 1);
  return found;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // This is the descriptor of the folder itself, which is closed by now.
    return '';
  }
}

test('files of an earlier process are removed', () => {
  const folder = join(dir, 'temporary');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'left'), 'x');
  emptyTemporary(dir);
  assert.equal(existsSync(folder), false);
});
