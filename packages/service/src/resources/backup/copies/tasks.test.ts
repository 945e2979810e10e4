import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { system } from '../../../events/index.ts';
import { BackupDamaged } from '../chunk-store/chunk-store.ts';
import { type CopiedFrequency, defaultSchedule } from '../model/schedules/policy.ts';
import { putSchedule } from '../model/schedules/rows.ts';
import { deleteSnapshots, snapshotsOf } from '../model/snapshots/rows.ts';
import { forgetSnapshot, requestSnapshot, scheduleSnapshot } from '../snapshots/changes.ts';
import { openBackups } from '../testing.ts';
import { forgetCopies, removeCopies } from './changes.ts';
import { copiesOf, copyRegions } from './rows.ts';
import { Sources } from './sources.ts';

const WEST = 'AWS/EU_WEST_1';
const NORTH = 'AWS/EU_NORTH_1';

async function opened(t: TestContext, wanted: Readonly<Record<string, readonly CopiedFrequency[]>>) {
  const backups = await openBackups(t);
  const { store, cluster, settled, objects, services } = backups;
  const [zone] = cluster.spec.zones;
  await store.write((tx) => {
    const copies = Object.entries(wanted).map(([region, frequencies]) => ({
      zone: zone?.id ?? '',
      zoneId: zone?.id ?? '',
      provider: 'AWS' as const,
      region: region.slice(4),
      frequencies,
      oplogs: false,
    }));
    const schedule = { ...defaultSchedule(tx.now, false, () => tx.id()), copies };
    return putSchedule(tx, { clusterId: cluster.id, groupId: cluster.groupId, next: undefined, schedule });
  });
  const last = async () => {
    const row = (await store.read((tx) => snapshotsOf(tx, cluster.id))).at(-1);
    assert.ok(row);
    return row;
  };
  return {
    ...backups,
    async onDemand() {
      const retention = { value: 3, unit: 'DAYS' } as const;
      await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
      await settled();
      return last();
    },
    async scheduled(...all: readonly ('hourly' | 'weekly')[]) {
      const items = all.map((frequency) => ({ id: frequency, frequency, days: 2 }));
      await store.write((tx) => scheduleSnapshot(tx, cluster, { due: tx.now, items }));
      await settled();
      return last();
    },
    copies: async (id: string) =>
      (await store.read((tx) => copiesOf(tx, [id]))).map(({ region, status }) => `${region} ${status}`),
    /** Returns the keys of the objects in a region or, without a region, of the original objects. */
    keys(region?: string) {
      const prefix = region === undefined ? `${cluster.id}/` : `regions/${region}/${cluster.id}/`;
      const all = [...objects.content.keys()].filter((key) => key.startsWith(prefix));
      return all.map((key) => key.slice(prefix.length)).toSorted();
    },
    /** Restores a snapshot and returns what the engine received. */
    async restored(id: string) {
      const snapshot = { id, clusterId: cluster.id };
      const sources = await store.read((tx) => Sources.of(tx, services, snapshot));
      await sources.read((chunkStore) =>
        backups.engine.restore(cluster.id, undefined, [], chunkStore.frames(id)),
      );
      return backups.engine.restored.get(cluster.id);
    },
  };
}

test('snapshots are copied to the regions that require their frequency, once for several frequencies', async (t) => {
  const { onDemand, scheduled, copies, keys, objects } = await opened(t, {
    [WEST]: ['ON_DEMAND', 'WEEKLY'],
    [NORTH]: ['HOURLY'],
  });
  const first = await onDemand();
  assert.deepEqual(await copies(first.id), [`${WEST} completed`]);
  assert.deepEqual(keys(WEST), keys());
  assert.deepEqual(keys(NORTH), []);
  const second = await scheduled('hourly', 'weekly');
  assert.deepEqual(await copies(second.id), [`${NORTH} completed`, `${WEST} completed`]);
  assert.deepEqual(keys(NORTH).length, keys().length - 1);
  // Chunks that the region already has are not read again.
  const read: string[] = [];
  objects.trouble = (call, key) => void (call === 'get' && read.push(key));
  await onDemand();
  assert.deepEqual(
    read.filter((key) => key.includes('/chunks/')),
    [],
  );
});

test('a lost or damaged snapshot is restored from its copy, unless that is lost too', async (t) => {
  const { onDemand, restored, objects, cluster } = await opened(t, { [WEST]: ['ON_DEMAND'] });
  const { id } = await onDemand();
  const chunk = `${cluster.id}/chunks/${hash('sha256', 'a')}`;
  const original = [...objects.content].filter(([key]) => !key.startsWith('regions/'));
  const damages = [
    () => objects.content.delete(`${cluster.id}/snapshots/${id}.json`),
    () => objects.content.set(`${cluster.id}/snapshots/${id}.json`, Buffer.from('{')),
    () => objects.content.delete(chunk),
    () => objects.content.set(chunk, Buffer.alloc(0)),
    () => objects.content.set(chunk, Buffer.from('x')),
  ];
  for (const damage of damages) {
    damage();
    assert.deepEqual(await restored(id), ['a', 'b']);
    for (const [key, content] of original) objects.content.set(key, content);
  }
  objects.content.delete(chunk);
  objects.content.delete(`regions/${WEST}/${chunk}`);
  await assert.rejects(restored(id), BackupDamaged);
  // The task should report the error of a source that may recover rather than the error of a source that has lost
  // data.
  objects.trouble = (call, key) => {
    if (call === 'get' && key.startsWith('regions/')) throw new Error('the region is unavailable');
  };
  await assert.rejects(restored(id), /the region is unavailable/);
});

test('a failed copy is retried, and leaves no objects if it fails for good', async (t) => {
  const { onDemand, copies, objects, keys, recordedEvents, engine } = await opened(t, {
    [WEST]: ['ON_DEMAND'],
  });
  const ofA = hash('sha256', 'a');
  let failures = 2;
  objects.trouble = (call, key) => {
    if (call === 'put' && key.startsWith('regions/') && key.endsWith(ofA) && failures-- > 0)
      throw new Error('try later');
  };
  const first = await onDemand();
  assert.deepEqual(await copies(first.id), [`${WEST} completed`]);
  const countOf = async (type: string) => (await recordedEvents()).filter((one) => one.type === type).length;
  assert.equal(await countOf('CPS_COPY_SNAPSHOT_STARTED'), 1);
  assert.equal(await countOf('CPS_COPY_SNAPSHOT_FAILED_WILL_RETRY'), 2);
  assert.equal(await countOf('CPS_COPY_SNAPSHOT_SUCCESSFUL'), 1);

  const kept = keys(WEST);
  objects.trouble = (call, key) => {
    if (call === 'put' && key.startsWith('regions/') && key.endsWith('.json')) throw new Error('no room');
  };
  engine.texts = ['a', 'c'];
  const second = await onDemand();
  assert.equal(second.status, 'completed');
  assert.deepEqual(await copies(second.id), [`${WEST} failed`]);
  const [failed, ...others] = (await recordedEvents()).filter(
    ({ type }) => type === 'CPS_COPY_SNAPSHOT_FAILED',
  );
  assert.deepEqual([failed?.reason, others.length], ['no room', 0]);
  assert.deepEqual(keys(WEST), kept);
});

test('copies are removed with their snapshot, or separately', async (t) => {
  const { onDemand, copies, keys, store, settled, cluster } = await opened(t, {
    [WEST]: ['ON_DEMAND'],
    [NORTH]: ['ON_DEMAND'],
  });
  const first = await onDemand();
  const second = await onDemand();
  await store.write((tx) => forgetSnapshot(tx, first));
  await settled();
  assert.deepEqual(await copies(first.id), []);
  assert.deepEqual(keys(WEST), keys());
  assert.equal(keys(WEST).includes(`snapshots/${second.id}.json`), true);
  await store.write((tx) => removeCopies(tx, cluster, NORTH));
  await settled();
  assert.deepEqual(await copies(second.id), [`${WEST} completed`]);
  assert.deepEqual(keys(NORTH), []);
  assert.deepEqual(await store.read((tx) => copyRegions(tx, cluster.id)), [WEST]);
  await store.write(async (tx) => {
    await deleteSnapshots(tx, cluster.id);
    await forgetCopies(tx, cluster);
  });
  await settled();
  assert.deepEqual(keys(WEST), []);
  assert.deepEqual(await store.read((tx) => copyRegions(tx, cluster.id)), []);
});
