import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBudget } from './body-budget.ts';

const MEGABYTE = 1024 * 1024;

const refused = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } };

test('bodies may take up to 128 MiB, those of an owner 64 MiB, and further ones are rejected with 503', () => {
  const budget = new BodyBudget();
  for (let count = 0; count < 64; count++) budget.reserve(MEGABYTE, 'one');
  assert.throws(() => budget.reserve(1, 'one'), refused);
  for (let count = 0; count < 64; count++) budget.reserve(MEGABYTE, 'two');
  assert.throws(() => budget.reserve(1, 'another'), refused);
  budget.release(MEGABYTE, 'one');
  assert.throws(() => budget.reserve(MEGABYTE, 'two'), refused);
  budget.reserve(MEGABYTE, 'another');
});

test('small bodies are accepted even if others fill the budget', () => {
  const budget = new BodyBudget();
  for (let count = 0; count < 128; count++) budget.reserve(MEGABYTE, `owner ${count % 4}`);
  budget.reserve(1_000, 'another', true);
  assert.equal(budget.heldBy('another'), 1_000);
});

test('large bodies are processed in order, and small ones at once', async () => {
  const budget = new BodyBudget();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string, megabytes: number) =>
    budget.run(megabytes * MEGABYTE, 'one', async () => {
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

test('owners with large bodies take turns', async () => {
  const budget = new BodyBudget();
  const begun: string[] = [];
  const work = (owner: string) =>
    budget.run(5 * MEGABYTE, owner, async () => {
      begun.push(owner);
    });
  await Promise.all([...Array<string>(5).fill('many'), 'one', 'two'].map(work));
  assert.deepEqual(begun, ['many', 'many', 'one', 'two', 'many', 'many', 'many']);
});
