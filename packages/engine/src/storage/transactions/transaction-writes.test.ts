import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldKeys } from './held-keys.ts';
import { TransactionMemory } from './transaction-memory.ts';
import { TransactionWrites } from './transaction-writes.ts';

test('a transaction that has ended takes no locks and no memory', () => {
  const held = new HeldKeys();
  const memory = new TransactionMemory();
  const writes = new TransactionWrites(held, memory.open());
  const target = { database: 'bank', name: 'accounts', uuid: new Uint8Array(16) };
  assert.equal(writes.hold('a'), true);
  writes.discard();
  assert.throws(() => writes.hold('b'), { codeName: 'WriteConflict' });
  assert.throws(() => writes.add(target, () => {}, 100), { codeName: 'WriteConflict' });
  assert.ok(held.isEmpty);
  assert.equal(memory.used, 0);
});
