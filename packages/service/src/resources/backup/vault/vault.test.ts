import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { TestObjects } from '../testing.ts';
import { Vault, VaultDamaged } from './vault.ts';

test('a chunk that was found damaged is removed where it is, so that it comes again', async () => {
  const objects = new TestObjects();
  const vault = new Vault(objects, 'cluster');
  const name = hash('sha256', 'a');
  const content = zstdCompressSync(Buffer.from('a'));
  await objects.put(`cluster/chunks/${name}`, content);
  const found = new Error(`chunk ${name} is damaged`);
  const other = new Error('the engine is away');
  assert.equal(await vault.diagnose(other), other);
  assert.equal(await vault.diagnose(found), found, 'it was damaged on its way');
  assert.equal((await vault.held(undefined)).sizes.size, 1);

  for (const damaged of [Buffer.from('not packed'), zstdCompressSync(Buffer.from('b'))]) {
    await objects.put(`cluster/chunks/${name}`, damaged);
    assert.equal(await vault.diagnose(other), other);
    const problem = await vault.diagnose(found);
    assert.ok(problem instanceof VaultDamaged);
    assert.equal(problem.message, found.message);
    assert.equal((await vault.held(undefined)).sizes.size, 0);
    assert.equal(await vault.diagnose(found), found);
  }
});
