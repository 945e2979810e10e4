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

test('one reply may be larger than the share of its owner, also if this is known only afterwards', async () => {
  const replies = new ReplyBudget();
  const large = replies.reserve(100 * MB, 'one');
  large.release();
  const unknown = replies.reserve(0, 'one');
  unknown.resize(100 * MB);
  assert.throws(() => replies.reserve(0, 'one'), refused);
  await assert.rejects(replies.enter('one'), refused);
  await replies.enter('other');
  replies.hold('one').release();
  unknown.release();
  await replies.enter('one');
  replies.reserve(0, 'one').release();
});

test('while many large replies of an owner wait, its further requests wait, and those of others do not', async () => {
  const replies = new ReplyBudget();
  const ends: (() => void)[] = [];
  const done: string[] = [];
  const request = async (owner: string, name: string) => {
    await replies.enter(owner);
    await replies.run(4 * MB, owner, () => new Promise<void>((end) => ends.push(end)));
    done.push(name);
    replies.leave(owner);
  };
  const all = Array.from({ length: 60 }, (_, at) => request('one', `${at}`));
  await new Promise(setImmediate);
  assert.equal(replies.waitingOf('one'), 59);
  const late = request('one', 'late');
  const entered: string[] = [];
  void replies.enter('one').then(() => entered.push('one'));
  void replies.enter('two').then(() => entered.push('two'));
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['two']);
  while (done.length < 61) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all([...all, late]);
  assert.deepEqual(entered, ['two', 'one']);
});
