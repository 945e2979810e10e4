import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { RotatingFile } from './rotating-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'portolan-rotating-'));
after(() => rmSync(directory, { recursive: true }));

let folders = 0;
const folder = () => join(directory, String(++folders));

test('a file keeps its newest lines up to its size', () => {
  const path = join(folder(), 'file.log');
  const file = new RotatingFile(path, { bytes: 100, older: 2, makeFolder: true });
  for (let i = 0; i < 100; i++) file.append(`line ${i}\n`);
  const lines = [...file.lines()];
  assert.ok(lines.length >= 20 && lines.length <= 40);
  assert.equal(lines.at(-1), 'line 99');
  assert.equal(lines[0], `line ${100 - lines.length}`);
  for (const name of readdirSync(join(path, '..'))) assert.ok(statSync(join(path, '..', name)).size <= 100);
});

test('files rotated while they are read are neither skipped nor read twice', () => {
  const path = join(folder(), 'file.log');
  const file = new RotatingFile(path, { bytes: 100, older: 1, makeFolder: true });
  for (let i = 0; i < 20; i++) file.append(`line ${i}\n`);
  const expected = [...file.lines()];
  const lines = new RotatingFile(path, { bytes: 100, older: 1, makeFolder: true }).lines();
  const found = [lines.next().value];
  for (let i = 20; i < 100; i++) file.append(`line ${i}\n`);
  assert.deepEqual([...found, ...lines].slice(0, expected.length), expected);
});

test('an incomplete line does not affect the next', () => {
  const path = join(folder(), 'file.log');
  new RotatingFile(path, { bytes: 1000, older: 1, makeFolder: true }).append('whole\n');
  appendFileSync(path, 'half');
  const file = new RotatingFile(path, { bytes: 1000, older: 1, makeFolder: true });
  assert.deepEqual([...file.lines()], ['whole']);
  file.append('next\n');
  assert.deepEqual([...file.lines()], ['whole', 'half', 'next']);
});

test('a missing folder is created only with makeFolder', () => {
  const path = join(folder(), 'file.log');
  new RotatingFile(path, { bytes: 100, older: 1, makeFolder: false }).append('lost\n');
  assert.equal(existsSync(path), false);
});
