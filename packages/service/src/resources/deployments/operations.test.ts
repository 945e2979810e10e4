import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import type { DropPermit } from '../../adopted/index.ts';
import type { Actor } from '../../events/index.ts';
import { insertRestore, restoreRow } from '../backup/testing.ts';
import { admitWork, clusterById, clusterChanging, requestRemoval } from '../clusters/index.ts';
import { updateCluster } from '../clusters/testing.ts';
import { addMigration } from '../live-migrations/testing.ts';
import { findProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { endExpiredDrops } from './drops.ts';
import { releaseDeployment } from './operations.ts';
import { openDeployment } from './testing.ts';

interface Tables {
  event: { type: string };
  deployment_drop: { expires: number };
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
  /** The number of events that were recorded before each drop began. */
  const drops: number[] = [];
  const ends: string[] = [];
  const engines = {
    dropDatabases: async (_: unknown, permit: DropPermit) => {
      drops.push(await events());
      await onDrop.run(permit);
    },
    revokeDrops: async () => {
      ends.push('ended');
      await onDrop.end();
    },
  };
  /** Called while the databases are dropped, and while a drop is ended on the servers. */
  const onDrop = { run: async (_: DropPermit) => {}, end: async () => {} };
  const actor: Actor = { username: 'ada@example.org' };
  const call = {
    ...{
      params: { deploymentId: id },
      query: { dropDatabases: true },
      services: { engines, secrets, random: systemRandom() },
      actor,
    },
    read: store.read.bind(store),
    write: store.write.bind(store),
  };
  const release = () =>
    releaseDeployment.handler(call as unknown as Parameters<typeof releaseDeployment.handler>[0]);
  const state = async () => (await store.read((tx) => clusterById(tx, id)))?.state;
  const dropServices = { ...{ store, secrets, engines }, log: silentLog() } as unknown as Services;
  /** Makes the claim of a drop expire, as if its instance had been suspended. */
  const expire = () =>
    store.write((tx) => tx.from<Tables>().updateTable('deployment_drop').set({ expires: 0 }).execute());
  return { ...opened, release, drops, events, state, onDrop, ends, expire, dropServices };
}

onEachDatabase('databases are dropped after an event is recorded', async (t, database) => {
  const { release, drops, events, state } = await openReleasable(t, database);
  await release();
  assert.deepEqual([drops, await events(), await state()], [[1], 1, 'DELETING']);
});

onEachDatabase(
  'while databases are dropped, requests that change the cluster are rejected',
  async (t, database) => {
    const { store, cluster, release, state, onDrop } = await openReleasable(t, database);
    const fault = { code: 'DEPLOYMENT_BEING_DROPPED', parameters: [cluster.name] };
    onDrop.run = async ({ renew }) => {
      await renew();
      await assert.rejects(release(), fault);
      await assert.rejects(
        store.write((tx) => admitWork(tx, cluster)),
        fault,
      );
      const change = {
        kind: 'update',
        cluster,
        before: cluster,
        actor: { username: 'ada@example.org' },
      } as const;
      await assert.rejects(
        store.write((tx) => tx.publish(clusterChanging, change)),
        fault,
      );
    };
    await release();
    assert.equal(await state(), 'DELETING');
  },
);

onEachDatabase('a drop that another instance has ended stops, and releases nothing', async (t, database) => {
  const { release, state, onDrop, expire, dropServices, ends } = await openReleasable(t, database);
  let dropped = 0;
  onDrop.run = async ({ renew }) => {
    await renew();
    dropped++;
    await expire();
    await assert.rejects(release(), { code: 'DEPLOYMENT_BEING_DROPPED' });
    await endExpiredDrops(dropServices);
    assert.deepEqual(ends, ['ended']);
    await renew();
    dropped++;
  };
  await assert.rejects(release(), { code: 'DEPLOYMENT_DROP_ENDED' });
  assert.deepEqual([dropped, await state()], [1, 'IDLE']);
  onDrop.run = async () => {};
  await release();
  assert.equal(await state(), 'DELETING');
});

onEachDatabase('a drop of servers that do not respond ends when they respond again', async (t, database) => {
  const { release, state, onDrop, expire, dropServices } = await openReleasable(t, database);
  const fail = async () => {
    throw new Error('connect ECONNREFUSED');
  };
  Object.assign(onDrop, { run: fail, end: fail });
  const failure = { code: 'DEPLOYMENT_NOT_USABLE', parameters: ['connect ECONNREFUSED'] };
  await assert.rejects(release(), failure);
  await assert.rejects(release(), { code: 'DEPLOYMENT_BEING_DROPPED' });
  await expire();
  await endExpiredDrops(dropServices);
  await assert.rejects(release(), { code: 'DEPLOYMENT_BEING_DROPPED' });
  Object.assign(onDrop, { run: async () => {}, end: async () => {} });
  await endExpiredDrops(dropServices);
  await release();
  assert.equal(await state(), 'DELETING');
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

  await store.write((tx) => insertRestore(tx, restoreRow(tx, cluster, 'snapshot')));
  await refused('CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE', [name]);

  await store.write(async (tx) => {
    const orgId = (await findProject(tx, cluster.groupId))?.orgId ?? '';
    await addMigration(tx, cluster, { id: tx.id(), orgId, spec: SPEC, sealed: undefined }, 0);
  });
  await refused('CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT', [name]);
  assert.equal(await state(), 'IDLE');
});

onEachDatabase('a deployment is not released during a migration to it', async (t, database) => {
  const { store, cluster, state } = await openReleasable(t, database);
  await store.write(async (tx) => {
    const orgId = (await findProject(tx, cluster.groupId))?.orgId ?? '';
    await addMigration(tx, cluster, { id: tx.id(), orgId, spec: SPEC, sealed: undefined }, 0);
  });
  const fault = { code: 'CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT', parameters: [cluster.name] };
  await assert.rejects(
    store.write((tx) => requestRemoval(tx, cluster, { username: 'ada@example.org' })),
    fault,
  );
  assert.equal(await state(), 'IDLE');
});
