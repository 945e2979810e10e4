import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBudget } from './body-budget.ts';

const MEGABYTE = 1024 * 1024;

test('bodies may take up to 128 MiB, and further ones are rejected with 503', () => {
  const budget = new BodyBudget();
  for (let count = 0; count < 128; count++) budget.reserve(MEGABYTE);
  assert.throws(() => budget.reserve(1), { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
  budget.release(MEGABYTE);
  budget.reserve(MEGABYTE);
});

test('large bodies are processed in order, and small ones at once', async () => {
  const budget = new BodyBudget();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string, megabytes: number) =>
    budget.run(megabytes * MEGABYTE, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === 'fails') throw new Error(name);
    });
  const done = [work('five', 5), work('fails', 1), work('one', 1), work('four', 4), work('small', 0.05)];
  assert.deepEqual(begun, ['five', 'small']);
  ends[0]?.();
  await done[0];
  assert.deepEqual(begun, ['five', 'small', 'fails', 'one']);
  ends[2]?.();
  await assert.rejects(async () => done[1], /fails/);
  assert.equal(begun.length, 4);
  ends[3]?.();
  await done[2];
  assert.deepEqual(begun.at(-1), 'four');
  ends[1]?.();
  ends[4]?.();
  await Promise.all([done[3], done[4]]);
});
