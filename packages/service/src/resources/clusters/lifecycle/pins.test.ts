import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { clusterById, updateCluster } from '../rows.ts';
import { makeCluster, openClusters } from '../testing.ts';
import { APPLY } from './changes.ts';
import { expirePin } from './pins.ts';

onEachDatabase('the end of a pin reaches the engine', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const expires = '2025-04-02T00:00:00.000Z';
  const cluster = await store.write(async (tx) => {
    const made = await makeCluster(tx, groupId);
    const pinned = { ...made, spec: { ...made.spec, pinned: { version: '7.0', expires } } };
    await updateCluster(tx, pinned);
    return pinned;
  });
  const payload = { clusterId: cluster.id, expires };
  const applied = () =>
    store.read(async (tx) => {
      const tasks = tx.from<{ task: { kind: string } }>().selectFrom('task').select('kind');
      return (await tasks.where('kind', '=', APPLY.kind).execute()).length;
    });
  const before = await applied();
  const [unpin] = expirePin.steps;
  await store.write(async (tx) => unpin?.commit?.(tx, { payload } as never, undefined));
  assert.equal((await store.read((tx) => clusterById(tx, cluster.id)))?.spec.pinned, undefined);
  assert.equal(await applied(), before + 1);
});
