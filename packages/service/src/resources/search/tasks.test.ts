import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { Document } from 'mongodb';
import type { DatabaseLocation } from '../../store/index.ts';
import { NotYet, type TaskContext, type TaskProgress } from '../../tasks/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import type { SearchWork } from './changes.ts';
import { type IndexRow, indexesOf, insertIndex } from './rows.ts';
import { followIndex } from './tasks.ts';

interface Tables {
  cluster: { id: string; state: string };
  event: { type: string };
}

/** Creates an idle cluster, and an index on it that is being built. */
async function building(t: TestContext, database: DatabaseLocation) {
  const { store, groupId } = await openClusters(t, database);
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  await store.write((tx) =>
    tx.from<Tables>().updateTable('cluster').set({ state: 'IDLE' }).where('id', '=', cluster.id).execute(),
  );
  const row: IndexRow = {
    ...{ id: 'i', groupId, clusterId: cluster.id, database: 'shop', collection: 'books', name: 'words' },
    ...{ type: 'search', isUntyped: false, definition: { mappings: { dynamic: true } }, version: 1 },
    ...{ versionCreated: new Date(0), status: 'BUILDING' },
  };
  await store.write((tx) => insertIndex(tx, row));
  return { store, cluster, row };
}

onEachDatabase(
  'an index that a driver drops during its build is deleted; one without a collection becomes DOES_NOT_EXIST',
  async (t, database) => {
    const { store, cluster, row } = await building(t, database);
    let collections: readonly Document[] = [];
    const engine = {
      run: async (_: string, command: Document) => {
        const firstBatch = 'listCollections' in command ? collections : [];
        return { ok: 1, cursor: { firstBatch } };
      },
    };
    const services = { engines: { at: () => engine }, machine: machineClock() } as unknown as Services;
    const payload = { clusterId: cluster.id, indexId: row.id, version: row.version };
    const [look] = followIndex.steps;
    const follow = async () => {
      const context = { store, services, payload } as unknown as TaskContext<Services, SearchWork>;
      const found = await look?.run?.(context);
      await store.write(async (tx) => void (await look?.commit?.(tx, context, found)));
    };
    const shown = async () => {
      const rows = await store.read((tx) => indexesOf(tx, cluster.id));
      const events = await store.read((tx) =>
        tx.from<Tables>().selectFrom('event').select('type').where('type', 'like', 'FTS_%').execute(),
      );
      return [rows.map(({ status }) => status), events.map(({ type }) => type).toSorted()];
    };
    await follow();
    assert.deepEqual(await shown(), [['DOES_NOT_EXIST'], []]);

    const again = { ...row, clusterId: cluster.id, id: 'j', name: 'others' };
    await store.write((tx) => insertIndex(tx, again));
    payload.indexId = again.id;
    collections = [{ name: 'books' }];
    await follow();
    assert.deepEqual(await shown(), [['DOES_NOT_EXIST'], ['FTS_INDEX_CLEANED_UP', 'FTS_INDEX_DELETED']]);
  },
);

onEachDatabase('a build reports how many documents it has indexed', async (t, database) => {
  const { store, cluster, row } = await building(t, database);
  const index = { id: 'i', status: 'BUILDING', latestDefinitionVersion: { version: 1 } };
  let version = 0;
  const engine = {
    run: async (_: string, command: Document) =>
      'count' in command ? { ok: 1, n: 9 } : { ok: 1, cursor: { firstBatch: [index] } },
    newestSamples: async () => [
      { id: cluster.id, samples: [{ search: { indexes: { i: { version, documents: 4 } } } }] },
    ],
  };
  const services = { engines: { at: () => engine }, machine: machineClock() } as unknown as Services;
  const payload = { clusterId: cluster.id, indexId: row.id, version: row.version };
  const reports: TaskProgress[] = [];
  const progress = (report: TaskProgress) => void reports.push(report);
  const context = { store, services, payload, progress } as unknown as TaskContext<Services, SearchWork>;
  const look = async () => followIndex.steps[0]?.run?.(context);
  await assert.rejects(look, NotYet);
  assert.deepEqual(reports, [], 'a sample of an earlier version says nothing');
  version = 1;
  await assert.rejects(look, NotYet);
  assert.deepEqual(reports, [{ unit: 'documents', done: 4, total: 9 }]);
});
