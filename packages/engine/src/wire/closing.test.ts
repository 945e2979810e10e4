import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOSED_AT_ONCE, closeInTurns } from './closing.ts';

test('many connections are closed with pauses', async () => {
  let closed = 0;
  const connections = Array.from({ length: 2 * CLOSED_AT_ONCE + 1 }, () => ({ destroy: () => closed++ }));
  const atPauses: number[] = [];
  const closing = closeInTurns(connections, async () => void atPauses.push(closed));
  assert.equal(closed, CLOSED_AT_ONCE);
  await closing;
  assert.deepEqual([...atPauses, closed], [CLOSED_AT_ONCE, 2 * CLOSED_AT_ONCE, 2 * CLOSED_AT_ONCE + 1]);
});
