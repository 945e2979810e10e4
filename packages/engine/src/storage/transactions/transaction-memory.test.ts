import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransactionMemory } from './transaction-memory.ts';

const CONNECTION_BYTES = 256 * 1024;
const tooLarge = { codeName: 'TransactionTooLargeForCache', code: 388 };
const exhausted = { codeName: 'WriteConflict', code: 112 };

test('the writes of one transaction are limited, and those of all open ones together', () => {
  const memory = new TransactionMemory({ transactionBytes: 100, bytes: 2 * CONNECTION_BYTES + 150 });
  const [one, other] = [memory.open(), memory.open()];
  one.add(100);
  assert.throws(() => one.add(1), tooLarge);
  other.add(50);
  assert.throws(() => other.add(1), exhausted);
  assert.throws(() => memory.open(), exhausted);
  one.release();
  one.release();
  other.add(50);
  assert.throws(() => other.add(1), tooLarge);
  other.release();
  assert.equal(memory.used, 0);
});
