import assert from 'node:assert/strict';
import { test } from 'node:test';
import { system } from '../../../events/index.ts';
import { insertRestore, restoreById } from '../model/restores/rows.ts';
import { snapshotsOf, updateSnapshot } from '../model/snapshots/rows.ts';
import { requestSnapshot } from '../snapshots/changes.ts';
import { openBackups, restoreRow } from '../testing.ts';
import { restoreSnapshot } from './tasks.ts';

test('a restore to an adopted deployment waits for a snapshot that has begun, unless the cluster is to be removed', async (t) => {
  const { store, cluster, settled, adoptCluster } = await openBackups(t);
  const retention = { value: 3, unit: 'DAYS' } as const;
  await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
  await settled();
  const [snapshot] = await store.read((tx) => snapshotsOf(tx, cluster.id));
  assert.ok(snapshot);
  await adoptCluster();
  const restoreId = await store.write(async (tx) => {
    await updateSnapshot(tx, { ...snapshot, status: 'inProgress' });
    const row = restoreRow(tx, cluster, snapshot.id);
    await insertRestore(tx, row);
    return row.id;
  });
  const [begin] = restoreSnapshot.steps;
  const payload = { clusterId: cluster.id, restoreId };
  const attempt = () => store.write(async (tx) => begin?.commit?.(tx, { payload } as never, undefined));
  await assert.rejects(attempt, { name: 'NotYet', message: 'a snapshot of the cluster is being taken' });
  await store.write(async (tx) => {
    const clusters = tx.from<{ cluster: { id: string; state: string } }>().updateTable('cluster');
    await clusters.set({ state: 'DELETING' }).where('id', '=', cluster.id).execute();
  });
  await attempt();
  assert.equal((await store.read((tx) => restoreById(tx, restoreId)))?.begun, true);
});
