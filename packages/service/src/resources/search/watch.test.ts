import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { Document } from 'mongodb';
import { makeCluster, openClusters, updateCluster } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { indexesOf, insertIndex } from './rows.ts';
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

onEachDatabase(
  'changes on servers without samples are found, unless they are under repair',
  async (t, database) => {
    const machine = testClock(Date.UTC(2026, 2, 12, 12));
    const clock = serviceClock(machine);
    const { store, groupId } = await openClusters(t, database, [], { clock });
    const made = await store.write((tx) => makeCluster(tx, groupId));
    const found: FoundServers = {
      engine: 'adopted',
      facts: ['searchIndexes'],
      topology: 'REPLICA_SET',
      version: '8.0.0',
      replicaSets: ['rs'],
      members: [],
      tls: false,
    };
    const inState = (state: 'IDLE' | 'REPAIRING') =>
      store.write((tx) => updateCluster(tx, { ...made, state, placement: { ...made.placement, found } }));
    await inState('REPAIRING');
    await store.write((tx) =>
      insertIndex(tx, {
        ...{ id: 'i', groupId, clusterId: made.id, database: 'shop', collection: 'books', name: 'words' },
        ...{ type: 'search', isUntyped: false, definition: { mappings: { dynamic: true } }, version: 0 },
        ...{ versionCreated: new Date(0), status: 'READY' },
      }),
    );
    let rounds = 0;
    const engine = {
      newestSamples: async () => {
        rounds += 1;
        return [];
      },
      run: async (_: string, command: Document) => {
        const firstBatch = 'listCollections' in command ? [{ name: 'books' }] : [];
        return { ok: 1, cursor: { firstBatch } };
      },
    };
    const engines = { reachable: () => ['host'], keeps: () => true, at: () => engine };
    const services = { store, engines, machine, clock, log: silentLog() } as unknown as Services;
    /** Returns the number of indexes after the first round. */
    const leftAfterRound = async () => {
      const before = rounds;
      const watch = watchIndexes(services);
      while (rounds === before) {
        machine.advance(10_000);
        await setImmediate();
      }
      await watch.stop();
      return (await store.read((tx) => indexesOf(tx, made.id))).length;
    };
    assert.equal(await leftAfterRound(), 1);
    await inState('IDLE');
    assert.equal(await leftAfterRound(), 0);
  },
);
