import assert from 'node:assert/strict';
import { type ClockSetting, serviceClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { Store } from './store.ts';
import { storedClock } from './stored-clock.ts';
import { openTestStore } from './testing.ts';

const frozen: ClockSetting = { at: 5_000, since: 1_000, rate: 0 };

async function follow(store: Store) {
  const machine = testClock();
  const clock = serviceClock(machine);
  const settings: ClockSetting[] = [];
  clock.onChange((setting) => settings.push(setting));
  return { machine, clock, told: settings, stored: await storedClock(store, clock, machine) };
}

onEachDatabase('the clock keeps its setting after a restart', async (t, database) => {
  const store = await openTestStore(t, database);
  const { clock, stored, told } = await follow(store);
  assert.equal(await store.read((tx) => stored.read(tx)), undefined);
  await store.write((tx) => stored.set(tx, frozen));
  stored.close();
  assert.deepEqual(clock.now(), new Date(5_000));
  assert.deepEqual(told, [frozen]);
  const again = await follow(store);
  assert.deepEqual(again.clock.setting(), frozen);
  assert.deepEqual(again.told, [frozen]);
  again.stored.close();
});

onEachDatabase('a change that is rolled back does not change the clock', async (t, database) => {
  const store = await openTestStore(t, database);
  const { stored, told } = await follow(store);
  t.after(() => stored.close());
  const undone = store.write(async (tx) => {
    await stored.set(tx, frozen);
    throw new Error('undone');
  });
  await assert.rejects(undone);
  assert.deepEqual(told, []);
});

onEachDatabase('other instances follow within a second, and are notified once', async (t, database, kind) => {
  const store = await openTestStore(t, database);
  const first = await follow(store);
  const second = await follow(store.capabilities.shared ? await openTestStore(t, database) : store);
  const notified = Promise.withResolvers<void>();
  second.clock.onChange(() => notified.resolve());
  await store.write((tx) => first.stored.set(tx, frozen));
  second.machine.advance(1000);
  if (kind === 'postgres') await notified.promise;
  // Reading an unchanged setting again does not call the listeners again.
  second.machine.advance(1000);
  await store.read((tx) => second.stored.read(tx));
  assert.deepEqual(second.told, { sqlite: [], postgres: [frozen] }[kind]);
  first.stored.close();
  second.stored.close();
});
