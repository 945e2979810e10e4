import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TemporaryFile } from './temporary-file.ts';
import { TemporarySpace } from './temporary-space.ts';

const MIB = 1024 * 1024;
const empty = () => ({ total: 100_000 * MIB, used: 0 });

test('temporary files have a maximum size together, and free their space when they close', () => {
  const dir = mkdtempSync(join(tmpdir(), 'temporary-space-'));
  const space = new TemporarySpace(empty);
  space.most = 100;
  const [one, other] = [new TemporaryFile(dir, undefined, space), new TemporaryFile(dir, undefined, space)];
  one.append(Buffer.alloc(60));
  assert.throws(() => other.append(Buffer.alloc(50)), { reason: 'full' });
  one.close();
  assert.equal(other.append(Buffer.alloc(50)), 0);
  other.close();
  assert.equal(space.take(100), true);
  rmSync(dir, { recursive: true });
});

test('temporary files leave space on the disk, whose free space is read now and then', () => {
  let used = 0;
  let reads = 0;
  const space = new TemporarySpace(() => {
    reads++;
    return { total: 10_000 * MIB, used };
  });
  for (let i = 0; i < 256; i++) assert.equal(space.take(MIB), true);
  assert.equal(reads, 4);
  used = 9_600 * MIB;
  let taken = 0;
  while (space.take(MIB)) taken++;
  assert.ok(taken < 64, `${taken}`);
});

test('on a small disk, a twentieth stays free', () => {
  const space = new TemporarySpace(() => ({ total: 100 * MIB, used: 90 * MIB }));
  assert.equal(space.take(4 * MIB), true);
  const full = new TemporarySpace(() => ({ total: 100 * MIB, used: 94 * MIB }));
  assert.equal(full.take(4 * MIB), false);
});
