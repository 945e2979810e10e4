import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import type { Store } from '../store/store.ts';
import { openTestStore } from '../store/testing.ts';
import { EventHub } from './hub.ts';
import { eventHandlers, eventMigrations, recordEvent, system } from './index.ts';
import { positionOf } from './numbered.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2025, 0, 1);

/** Opens a store whose service time stands still. */
function openAt(t: TestContext, database: DatabaseLocation, time: number): Promise<Store> {
  return openTestStore(t, database, {
    clock: serviceClock(testClock(time)),
    migrations: eventMigrations,
    handlers: eventHandlers({ CLUSTER_READY: 'Cluster is ready' }, []),
  });
}

/**
 * Opens a hub and two stores that record events: the store of the hub, and the store of another instance whose service
 * time is an hour behind. SQLite allows only one instance, so both are then the same store.
 */
async function openHub(t: TestContext, database: DatabaseLocation) {
  const own = await openAt(t, database, NOW);
  const other = own.capabilities.shared ? await openAt(t, database, NOW - HOUR_MS) : own;
  const hub = new EventHub({ store: own, machine: machineClock(), log: silentLog() });
  t.after(() => hub.close());
  const record = (store: Store, orgId = 'org', whileOpen = async () => {}) =>
    store.write(async (tx) => {
      const { id } = await recordEvent(tx, { type: 'CLUSTER_READY', orgId, actor: system });
      await whileOpen();
      return id;
    });
  return { hub, own, other, record };
}

/** Listens to the events of the organization `org`. */
async function listen(hub: EventHub) {
  const received: string[] = [];
  let changed = () => {};
  const { end } = await hub.listen('org', ({ events }) => {
    received.push(...events.map(({ id }) => id));
    changed();
  });
  /** Resolves when this number of events has been received. */
  const count = async (wanted: number) => {
    while (received.length < wanted)
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
  };
  return { received, count, end };
}

/** More events than the hub reads at once. */
const MANY = 250;

onEachDatabase(
  'a listener gets each event of all instances once, although service time stands still',
  async (t, database) => {
    const { hub, own, other, record } = await openHub(t, database);
    const { received, count } = await listen(hub);
    await record(own, 'another organization');
    const first = await Promise.all(Array.from({ length: MANY }, () => record(own)));
    await count(MANY);
    const later = await Promise.all(Array.from({ length: MANY }, (_, n) => record(n % 2 ? own : other)));
    await count(2 * MANY);
    assert.deepEqual(received.toSorted(), [...first, ...later].toSorted());
  },
);

onEachDatabase('a listener gets an event that is committed after later events', async (t, database) => {
  const { hub, own, other, record } = await openHub(t, database);
  // A single instance commits its events in their order.
  if (!own.capabilities.shared) return;
  const { received, count } = await listen(hub);
  const late = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const waiting = record(other, 'org', () => {
    begun.resolve();
    return late.promise;
  });
  await begun.promise;
  // Some of these transactions wait for the first one, since they change the same counter.
  const others = Array.from({ length: 20 }, () => record(own));
  await Promise.any(others);
  await count(1);
  late.resolve();
  const ids = await Promise.all([waiting, ...others]);
  await count(ids.length);
  assert.deepEqual(received.toSorted(), ids.toSorted());
});

onEachDatabase(
  'a listener continues from a position of another instance that the other listeners have not reached',
  async (t, database) => {
    // The clock stands still, so that the hub does not poll for events of other instances.
    const { other, own, record } = await openHub(t, database);
    const hub = new EventHub({ store: own, machine: testClock(NOW), log: silentLog() });
    t.after(() => hub.close());
    const first = await listen(hub);
    const ids = await Promise.all(Array.from({ length: MANY }, () => record(other)));
    const from = await own.read((tx) => positionOf(tx, 'org'));
    const { position } = await hub.listen('org', () => {}, from);
    assert.deepEqual(position, from);
    await first.count(MANY);
    assert.deepEqual(first.received.toSorted(), ids.toSorted());
  },
);

onEachDatabase('a listener gets no events after it has ended', async (t, database) => {
  const { hub, own, record } = await openHub(t, database);
  const [ended, other] = [await listen(hub), await listen(hub)];
  ended.end();
  await record(own);
  await other.count(1);
  assert.deepEqual(ended.received, []);
});

onEachDatabase(
  'a batch is delivered to many listeners with pauses for other requests',
  async (t, database) => {
    const { hub, own } = await openHub(t, database);
    const heard = Array.from({ length: 1_000 }, (): number[] => []);
    const listening = await Promise.all(
      heard.map((counts) => hub.listen('org', ({ events }) => counts.push(events.length))),
    );
    assert.equal(hub.listenersOf('org'), 1_000);
    await own.write(async (tx) => {
      for (let count = 0; count < 20; count++)
        await recordEvent(tx, { type: 'CLUSTER_READY', orgId: 'org', actor: system });
    });
    const isDone = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0) === 20;
    while (!isDone(heard[0] ?? [])) await setImmediate();
    let turns = 0;
    while (!heard.every(isDone)) {
      turns++;
      await setImmediate();
    }
    assert.ok(turns >= 5, `${turns}`);
    for (const { end } of listening) end();
    assert.equal(hub.listenersOf('org'), 0);
  },
);
