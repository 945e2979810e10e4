import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { system } from '../../../events/index.ts';
import { addCount, countOf, subscribe } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import type { Family } from '../../family.ts';
import {
  type ClusterChange,
  type ClusterRemoval,
  type ClusterWork,
  clusterById,
  clusterChanging,
  clusterCounters,
  clusterRemoved,
  clustersIn,
  enqueueWork,
  requireCluster,
} from '../index.ts';
import { withCounts } from '../lists.ts';
import { makeCluster, openClusters } from '../testing.ts';
import { changeCluster, forgetCluster, requestRemoval } from './changes.ts';

/**
 * This family exists only in the test. Its hooks show that the clusters family works without importing families that
 * subscribe to its topics.
 */
const snapshotFaults = faults({ SNAPSHOT_RUNS: [409, 'A snapshot of the cluster {0} is being taken.'] });

interface Notes {
  /** Whether changes are rejected. */
  busy: boolean;
  readonly changes: ClusterChange[];
  readonly removals: ClusterRemoval[];
}

const COPY: Pick<TaskKind<ClusterWork & { to: string }, never>, 'kind'> = { kind: 'snapshot.copy' };

function snapshots(notes: Notes): Family {
  return {
    name: 'snapshots',
    operations: [],
    hooks: [
      subscribe(clusterChanging, async (_, change) => {
        if (notes.busy) throw snapshotFaults.SNAPSHOT_RUNS(change.cluster.name);
        notes.changes.push(change);
      }),
      subscribe(clusterRemoved, async (tx, removal) => {
        assert.equal(await clusterById(tx, removal.cluster.id), undefined);
        notes.removals.push(removal);
      }),
    ],
  };
}

async function openNoted(t: TestContext, database: DatabaseLocation) {
  const notes: Notes = { busy: false, changes: [], removals: [] };
  return { notes, ...(await openClusters(t, database, [snapshots(notes)])) };
}

onEachDatabase('other families receive every change and the removal', async (t, database) => {
  const { store, notes, groupId } = await openNoted(t, database);
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  const idle = { ...cluster, state: 'IDLE' } as const;
  await store.write((tx) => changeCluster(tx, idle, { paused: true }, system));
  const paused = await store.read((tx) => requireCluster(tx, { groupId, clusterName: 'c' }));
  await store.write((tx) => requestRemoval(tx, paused, system, true));
  assert.deepEqual(
    notes.changes.map((change) => [change.kind, change.cluster.name, change.cluster.paused]),
    [
      ['create', 'c', false],
      ['update', 'c', true],
      ['remove', 'c', true],
    ],
  );
  assert.deepEqual(notes.removals, []);
  await store.write((tx) => forgetCluster(tx, paused, { clusterId: paused.id, retainBackups: true }));
  assert.deepEqual(
    notes.removals.map(({ cluster: { id }, retainBackups }) => [id, retainBackups]),
    [[cluster.id, true]],
  );
});

onEachDatabase('a change that another family rejects is rolled back', async (t, database) => {
  const { store, notes, groupId } = await openNoted(t, database);
  notes.busy = true;
  const refused = { code: 'SNAPSHOT_RUNS', status: 409 };
  await assert.rejects(
    store.write((tx) => makeCluster(tx, groupId)),
    refused,
  );
  assert.deepEqual(await store.read((tx) => clustersIn(tx, groupId)), []);
  notes.busy = false;
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  notes.busy = true;
  await assert.rejects(
    store.write((tx) => requestRemoval(tx, cluster, system)),
    refused,
  );
  assert.equal((await store.read((tx) => clusterById(tx, cluster.id)))?.state, 'CREATING');
});

onEachDatabase(
  'counters of other families are returned with a cluster and deleted with it',
  async (t, database) => {
    const { store, groupId } = await openNoted(t, database);
    const cluster = await store.write((tx) => makeCluster(tx, groupId));
    const none = { outages: 0, lostMajorities: 0 };
    const counted = () => store.read((tx) => withCounts(tx, [cluster]));
    assert.deepEqual(await counted(), [{ cluster, counts: { ...none, openAlerts: 0 } }]);
    await store.write((tx) => addCount(tx, clusterCounters.openAlerts, cluster.id, 2));
    assert.deepEqual(await counted(), [{ cluster, counts: { ...none, openAlerts: 2 } }]);
    await store.write((tx) => forgetCluster(tx, cluster, { clusterId: cluster.id }));
    assert.equal(await store.read((tx) => countOf(tx, clusterCounters.openAlerts, cluster.id)), 0);
  },
);

onEachDatabase("tasks of other families join the cluster's queue", async (t, database) => {
  const { store, groupId } = await openNoted(t, database);
  const tasks = await store.write(async (tx) => {
    const cluster = await makeCluster(tx, groupId);
    await enqueueWork(tx, COPY, cluster, { to: 'there' });
    await enqueueWork(tx, COPY, cluster, { to: 'aside' }, { queue: 'copy' });
    const query = tx.from<{
      task: { kind: string; key: string; host: string; payload: string; id: string };
    }>();
    const rows = await query
      .selectFrom('task')
      .select(['kind', 'key', 'host', 'payload'])
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      ...row,
      key: row.key.replace(cluster.id, 'ID'),
      payload: row.payload.replace(cluster.id, 'ID'),
    }));
  });
  assert.deepEqual(tasks, [
    { kind: 'cluster.apply', key: 'cluster:ID', host: 'host', payload: '{"clusterId":"ID"}' },
    { kind: 'snapshot.copy', key: 'cluster:ID', host: 'host', payload: '{"clusterId":"ID","to":"there"}' },
    {
      kind: 'snapshot.copy',
      key: 'cluster:ID:copy',
      host: 'host',
      payload: '{"clusterId":"ID","to":"aside"}',
    },
  ]);
});
