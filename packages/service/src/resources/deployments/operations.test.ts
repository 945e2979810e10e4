import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import type { Actor } from '../../events/index.ts';
import { insertRestore, restoreRow } from '../backup/testing.ts';
import { clusterById } from '../clusters/index.ts';
import { updateCluster } from '../clusters/testing.ts';
import { addMigration } from '../live-migrations/testing.ts';
import { findProject } from '../projects/index.ts';
import { releaseDeployment } from './operations.ts';
import { openDeployment } from './testing.ts';

interface Tables {
  event: { type: string };
}

const SPEC = {
  hostnameSchemaType: 'PUBLIC',
  sourceGroupId: '6b0379ae15b376aa4da9b5d8',
  sourceName: 'old',
  ssl: false,
  drop: false,
  host: 'harbour.example',
} as const;

/** Opens an adopted deployment, and a function that releases it and drops its databases. */
async function openReleasable(t: TestContext, database: DatabaseLocation) {
  const opened = await openDeployment(t, database);
  const { store, secrets, id } = opened;
  const events = async () => {
    const query = (types: string) =>
      store.read((tx) =>
        tx.from<Tables>().selectFrom('event').select('type').where('type', 'like', types).execute(),
      );
    return (await query('DEPLOYMENT_%')).length;
  };
  /** The number of events at each drop. */
  const drops: number[] = [];
  const engines = { dropDatabases: async () => void drops.push(await events()) };
  const actor: Actor = { username: 'ada@example.org' };
  const call = {
    ...{
      params: { deploymentId: id },
      query: { dropDatabases: true },
      services: { engines, secrets },
      actor,
    },
    read: store.read.bind(store),
    write: store.write.bind(store),
  };
  const release = () =>
    releaseDeployment.handler(call as unknown as Parameters<typeof releaseDeployment.handler>[0]);
  const state = async () => (await store.read((tx) => clusterById(tx, id)))?.state;
  return { ...opened, release, drops, events, state };
}

onEachDatabase('databases are dropped after an event is recorded', async (t, database) => {
  const { release, drops, events, state } = await openReleasable(t, database);
  await release();
  assert.deepEqual([drops, await events(), await state()], [[1], 1, 'DELETING']);
});

onEachDatabase('databases are not dropped during a change, a restore or a migration', async (t, database) => {
  const { store, cluster, release, drops, events, state } = await openReleasable(t, database);
  const { name } = cluster;
  const refused = async (code: string, parameters: readonly string[]) => {
    await assert.rejects(release(), { code, parameters });
    assert.deepEqual([drops, await events()], [[], 0]);
  };
  for (const busy of ['UPDATING', 'REPAIRING', 'CREATING'] as const) {
    await store.write((tx) => updateCluster(tx, { ...cluster, state: busy }));
    await refused('CLUSTER_UPDATE_IN_PROGRESS', [name, busy]);
    assert.equal(await state(), busy);
  }
  await store.write((tx) => updateCluster(tx, cluster));

  await store.write(async (tx) => {
    const orgId = (await findProject(tx, cluster.groupId))?.orgId ?? '';
    await addMigration(tx, cluster, { id: tx.id(), orgId, spec: SPEC, sealed: undefined }, 0);
  });
  await refused('CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT', [name]);

  await store.write((tx) => insertRestore(tx, restoreRow(tx, cluster, 'snapshot')));
  await refused('CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE', [name]);
  assert.equal(await state(), 'IDLE');
});
