import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryRandomly } from './testing-random.ts';

test('random commands succeed or are rejected, and never cause an internal error', () => {
  const seed = Number(process.env.TEST_SEED ?? 1);
  const accepted = tryRandomly(400, seed);
  assert.ok(accepted > 40, `seed ${seed}: ${accepted} accepted`);
});
