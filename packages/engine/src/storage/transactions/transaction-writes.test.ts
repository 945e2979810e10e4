import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldKeys } from './held-keys.ts';
import { TransactionWrites } from './transaction-writes.ts';

test('a transaction that has ended takes no locks', () => {
  const held = new HeldKeys();
  const writes = new TransactionWrites(held);
  assert.equal(writes.hold('a'), true);
  writes.discard();
  assert.throws(() => writes.hold('b'), { codeName: 'WriteConflict' });
  assert.ok(held.isEmpty);
});
