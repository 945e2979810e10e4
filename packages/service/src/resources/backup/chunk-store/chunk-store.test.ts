import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { TestObjects } from '../testing.ts';
import { BackupDamaged, ChunkStore } from './chunk-store.ts';

test('a chunk that is damaged in the store is removed, so that it is stored again', async () => {
  const objects = new TestObjects();
  const chunkStore = new ChunkStore(objects, 'cluster');
  const name = hash('sha256', 'a');
  const content = zstdCompressSync(Buffer.from('a'));
  await objects.put(`cluster/chunks/${name}`, content);
  const found = new Error(`chunk ${name} is damaged`);
  const other = new Error('the engine is unavailable');
  assert.equal(await chunkStore.diagnose(other), other);
  assert.equal(await chunkStore.diagnose(found), found, 'it was damaged in transit');
  assert.equal((await chunkStore.stored(undefined)).sizes.size, 1);

  for (const damaged of [Buffer.from('not packed'), zstdCompressSync(Buffer.from('b'))]) {
    await objects.put(`cluster/chunks/${name}`, damaged);
    assert.equal(await chunkStore.diagnose(other), other);
    const problem = await chunkStore.diagnose(found);
    assert.ok(problem instanceof BackupDamaged);
    assert.equal(problem.message, found.message);
    assert.equal((await chunkStore.stored(undefined)).sizes.size, 0);
    assert.equal(await chunkStore.diagnose(found), found);
  }
});
