import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { clusterById, recordEngineFacts, updateCluster } from './rows.ts';
import { makeCluster, openClusters } from './testing.ts';

interface Tables {
  cluster: { id: string; spec: string };
}

onEachDatabase('the settings of rows that were stored without a type are read', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const { id } = await store.write((tx) => makeCluster(tx, groupId));
  const kept = { backupEnabled: false, tags: [{ key: 'team', value: 'blue' }] };
  await store.write(async (tx) => {
    const rows = tx.from<Tables>();
    const { spec } = await rows.selectFrom('cluster').select('spec').executeTakeFirstOrThrow();
    const stored = JSON.stringify({ ...JSON.parse(spec), kept });
    await rows.updateTable('cluster').set({ spec: stored }).where('id', '=', id).execute();
  });
  const cluster = await store.read((tx) => clusterById(tx, id));
  assert.deepEqual(cluster?.spec.settings, kept);
  await store.write((tx) => updateCluster(tx, cluster));
  const { spec } = await store.read((tx) =>
    tx.from<Tables>().selectFrom('cluster').select('spec').executeTakeFirstOrThrow(),
  );
  assert.deepEqual([JSON.parse(spec).kept, JSON.parse(spec).settings], [kept, undefined]);
});

onEachDatabase('the settings of an engine are stored in the clusters of its host', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  const facts = async () => (await store.read((tx) => clusterById(tx, cluster.id)))?.placement.engineFacts;
  await store.write((tx) => recordEngineFacts(tx, 'elsewhere', ['backupStorage']));
  assert.equal(await facts(), undefined);
  await store.write((tx) => recordEngineFacts(tx, cluster.host, ['backupStorage']));
  assert.deepEqual(await facts(), ['backupStorage']);
  await store.write((tx) => recordEngineFacts(tx, cluster.host, []));
  assert.deepEqual((await store.read((tx) => clusterById(tx, cluster.id)))?.placement, cluster.placement);
});
