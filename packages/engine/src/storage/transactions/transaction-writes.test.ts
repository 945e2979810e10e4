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

test('locks are released without a look at each of them', (t) => {
  const held = new HeldKeys();
  const [first, second, third] = [{}, {}, {}];
  for (let i = 0; i < 100; i++) held.hold(first, `${i}`);
  held.hold(second, 'a');
  const deletes = t.mock.method(Map.prototype, 'delete');
  held.release(first);
  assert.ok(deletes.mock.callCount() <= 2);
  deletes.mock.restore();
  assert.equal(held.isHeld('5'), false);
  assert.equal(held.holdsWithin('5'), false);
  for (let i = 0; i < 100; i++) assert.equal(held.hold(third, `${i}`), true);
  for (let i = 0; i < 100; i++) assert.equal(held.isHeld(`${i}`), true);
  assert.throws(() => held.hold(second, '7'), { codeName: 'WriteConflict' });
  held.release(third);
  assert.equal(held.isHeld('a'), true);
  held.release(second);
  assert.ok(held.isEmpty);
});
