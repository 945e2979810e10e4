import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { Document } from 'mongodb';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { indexesOf } from './rows.ts';
import { watchIndexes } from './watch.ts';

interface Tables {
  cluster: { id: string; state: string };
}

/** Returns an index as a cluster lists it. If `type` is null, the service cannot store a row for the index. */
const listed = (id: string, name: string, type: string | null): Document => ({
  ...{ id, name, type, status: 'BUILDING', queryable: false, statusDetail: [] },
  latestDefinition: { mappings: { dynamic: true } },
  latestDefinitionVersion: { version: 0n, createdAt: new Date(0) },
});

onEachDatabase(
  'an index that cannot be stored does not block others and is logged once',
  async (t, database) => {
    const machine = testClock(Date.UTC(2026, 2, 12, 12));
    const { store, groupId } = await openClusters(t, database, [], { clock: serviceClock(machine) });
    const { id } = await store.write((tx) => makeCluster(tx, groupId));
    await store.write((tx) =>
      tx.from<Tables>().updateTable('cluster').set({ state: 'IDLE' }).where('id', '=', id).execute(),
    );
    const indexes = [listed('1', 'bad', null), listed('2', 'good', 'search')];
    const lists: Record<string, object> = {
      listDatabases: { databases: [{ name: 'shop' }] },
      listCollections: { cursor: { firstBatch: [{ name: 'books' }] } },
      listSearchIndexes: { cursor: { firstBatch: indexes } },
    };
    const sampled = Object.fromEntries(indexes.map((one) => [one.id, { version: 0 }]));
    let rounds = 0;
    const engine = {
      newestSamples: async () => {
        rounds += 1;
        return [{ id, samples: [{ search: { indexes: sampled } }] }];
      },
      run: async (_: string, command: Document) => ({ ok: 1, ...lists[Object.keys(command)[0] as string] }),
    };
    const warnings: Array<{ reason: string }> = [];
    const log = {
      ...silentLog(),
      warn: (fields: { reason: string }, message: string) => warnings.push({ ...fields, ...{ message } }),
    };
    const engines = { reachable: () => ['host'], keeps: () => true, at: () => engine };
    const services = { store, engines, machine, clock: serviceClock(machine), log };
    const watch = watchIndexes(services as unknown as Services);
    while (rounds < 2) {
      machine.advance(10_000);
      await setImmediate();
    }
    await watch.stop();
    const rows = await store.read((tx) => indexesOf(tx, id));
    assert.deepEqual(
      rows.map(({ name, status }) => [name, status]),
      [['good', 'BUILDING']],
    );
    const [{ reason, ...warning } = { reason: '' }, ...others] = warnings;
    assert.deepEqual(
      [warning, others],
      [{ cluster: id, index: '1', name: 'bad', message: 'a search index cannot be stored' }, []],
    );
    assert.match(reason, /NOT NULL|not-null/i);
  },
);
