import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReplyBudget } from './reply-budget.ts';

const MB = 1024 * 1024;
const refused = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } };

test('large replies of an owner may take 64 MiB, and those of all owners 128 MiB', () => {
  const replies = new ReplyBudget();
  const first = replies.reserve(40 * MB, 'one');
  const second = replies.reserve(24 * MB, 'one');
  assert.throws(() => replies.reserve(1, 'one'), refused);
  const other = replies.reserve(64 * MB, 'other');
  assert.throws(() => replies.reserve(1, 'third'), refused);
  first.release();
  first.release();
  replies.reserve(40 * MB, 'third');
  assert.throws(() => replies.reserve(1, 'one'), refused);
  second.resize(10 * MB);
  replies.reserve(14 * MB, 'one');
  other.release();
});

test('one reply may be larger than the share of its owner, also if this is known only afterwards', () => {
  const replies = new ReplyBudget();
  const large = replies.reserve(100 * MB, 'one');
  large.release();
  const unknown = replies.reserve(0, 'one');
  unknown.resize(100 * MB);
  assert.throws(() => replies.reserve(0, 'one'), refused);
  assert.throws(() => replies.checkShare('one'), refused);
  replies.checkShare('other');
  replies.hold('one').release();
  unknown.release();
  replies.checkShare('one');
  replies.reserve(0, 'one').release();
});
