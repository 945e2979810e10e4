import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReplyBudget } from './reply-budget.ts';

const MB = 1024 ** 2;

test('a deployment that sends too much within ten seconds is not read for a minute', () => {
  let now = 0;
  const budget = new ReplyBudget({ monotonic: () => now });
  const isRead = (bytes: number) => budget.refusalOf(bytes) === undefined;
  assert.ok(isRead(64 * MB));
  now = 10_000;
  assert.ok(isRead(60 * MB));
  now = 12_000;
  assert.equal(isRead(5 * MB), false);
  now = 71_000;
  assert.equal(isRead(1), false);
  now = 72_000;
  assert.ok(isRead(64 * MB));
});
