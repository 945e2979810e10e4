import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { changeCluster, changeSettings, requireCluster } from '../../clusters/index.ts';
import { insertRestore, restoreById, updateRestore } from '../model/restores/rows.ts';
import { openBackups, restoreRow } from '../testing.ts';

test('a request cannot change a cluster during a restore to it', async (t) => {
  const { store, cluster, idleCluster } = await openBackups(t);
  await idleCluster();
  const { groupId, name: clusterName } = cluster;
  const restoreId = await store.write(async (tx) => {
    const row = restoreRow(tx, cluster, 'snapshot');
    await insertRestore(tx, row);
    return row.id;
  });

  const current = (tx: Tx) => requireCluster(tx, { groupId, clusterName });
  const changes = [
    async function disk(tx: Tx, actor: Actor) {
      const target = await current(tx);
      return changeCluster(tx, target, { spec: { ...target.spec, diskSizeGB: 20 } }, actor);
    },
    async function tags(tx: Tx, actor: Actor) {
      return changeSettings(tx, await current(tx), { tags: [{ key: 'a', value: 'b' }] }, actor);
    },
    async function pause(tx: Tx, actor: Actor) {
      return changeCluster(tx, await current(tx), { paused: true }, actor);
    },
  ];
  const caller: Actor = { username: 'ada@example.com' };
  const refusal = { code: 'CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE', parameters: [clusterName] };
  for (const change of changes)
    await assert.rejects(
      store.write((tx) => change(tx, caller)),
      refusal,
      change.name,
    );
  const [disk, ...others] = changes;
  await store.write(async (tx) => disk?.(tx, system));

  await store.write(async (tx) => {
    const row = await restoreById(tx, restoreId);
    assert.ok(row);
    await updateRestore(tx, { ...row, finished: tx.now });
  });
  for (const change of others) await store.write((tx) => change(tx, caller));
});
