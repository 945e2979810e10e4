import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendMalformed } from './testing/malformed.ts';

/** `npm run soak -- malformed` also measures whether the memory of the host grows. */
test('3,000 malformed messages close only their own connections, and the host stays up', async () => {
  const { sent, faults } = await sendMalformed({ seed: 7, messages: 3_000, every: 1_000 });
  assert.deepEqual(faults, []);
  assert.equal(sent, 3_000);
});
