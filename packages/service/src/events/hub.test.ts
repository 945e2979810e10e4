import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openTestStore } from '../store/testing.ts';
import { EventHub } from './hub.ts';
import { eventHandlers, eventMigrations, recordEvent, system } from './index.ts';

onEachDatabase(
  'events are delivered to many listeners with pauses for other requests',
  async (t, database) => {
    const machine = testClock(Date.UTC(2025, 0, 1));
    const store = await openTestStore(t, database, {
      clock: serviceClock(machine),
      migrations: eventMigrations,
      handlers: eventHandlers({ CLUSTER_CREATED: 'Cluster was created' }, []),
    });
    const hub = new EventHub({ store, machine, log: silentLog() });
    t.after(() => hub.close());
    const heard = Array.from({ length: 1_000 }, (): string[] => []);
    const ends = await Promise.all(
      heard.map((own) =>
        hub.listen('org', (events) => own.push(...events.map(({ clusterName = '' }) => clusterName))),
      ),
    );
    assert.equal(hub.listenersOf('org'), 1_000);
    const names = Array.from({ length: 20 }, (_, i) => `c${i}`);
    await store.write(async (tx) => {
      for (const clusterName of names)
        await recordEvent(tx, { type: 'CLUSTER_CREATED', orgId: 'org', actor: system, clusterName });
    });
    const isDone = (own: readonly string[]) => own.length === names.length;
    while (!isDone(heard[0] ?? [])) await setImmediate();
    let turns = 0;
    while (!heard.every(isDone)) {
      turns++;
      await setImmediate();
    }
    assert.ok(turns >= 5, `${turns}`);
    for (const own of heard) assert.deepEqual(own, names);
    for (const end of ends) end();
    assert.equal(hub.listenersOf('org'), 0);
  },
);
