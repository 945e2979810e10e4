import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openTestStore } from '../../store/testing.ts';
import { rateMigrations } from './migrations.ts';
import { memoryRates, type RateCounter, windowAt } from './rates.ts';
import { sharedRates } from './shared.ts';

async function checkCounting(rates: RateCounter): Promise<void> {
  const take = (key: string, window: number) => rates.take(key, window, 2);
  assert.equal(await take('a', 7), 1);
  assert.equal(await take('a', 7), 0);
  assert.equal(await take('b', 7), 1, 'keys are counted separately');
  assert.ok((await take('a', 7)) < 0);
  assert.ok((await take('a', 7)) < 0, 'a rejected request is not counted');
  assert.equal(await take('a', 8), 1, 'a new window starts at zero');
}

test('one instance counts in memory', () => checkCounting(memoryRates()));

onEachDatabase('several instances count in the store', async (t, database) => {
  const [one, other] = await Promise.all([
    openTestStore(t, database, { migrations: rateMigrations }),
    openTestStore(t, database, { migrations: rateMigrations }),
  ]);
  await checkCounting(sharedRates(one));
  const [first, second] = [sharedRates(one), sharedRates(other)];
  assert.equal(await first.take('c', 9, 2), 1);
  assert.equal(await second.take('c', 9, 2), 0);
  assert.ok((await first.take('c', 9, 2)) < 0);
  assert.equal(await second.take('d', 10, 2), 1);
  assert.equal(await first.take('d', 9, 2), 0, 'an instance whose clock is slow counts in the newer window');
});

test('a window is one minute of the clock', () => {
  assert.deepEqual(windowAt(0), { window: 0, secondsLeft: 60 });
  assert.deepEqual(windowAt(59_001), { window: 0, secondsLeft: 1 });
  assert.deepEqual(windowAt(60_000), { window: 1, secondsLeft: 60 });
});
