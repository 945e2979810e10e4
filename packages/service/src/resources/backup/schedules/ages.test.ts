import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginArchive, requestArchive } from '../continuous/changes.ts';
import { scheduleSnapshot } from '../snapshots/changes.ts';
import { openBackups } from '../testing.ts';
import { backupAges } from './ages.ts';
import { addDefault } from './changes.ts';

const HOUR_MS = 3_600_000;

test('backups age while snapshots fail, until the next one completes', async (t) => {
  const { store, cluster, engine, objects, clock, machine, settled, idleCluster, recordedEvents } =
    await openBackups(t);
  const hours = async () => {
    const [ages] = await store.read((tx) => backupAges(tx, [cluster.groupId]));
    const inHours = (age: number | undefined) => (age === undefined ? undefined : Math.floor(age / HOUR_MS));
    return ages && [inHours(ages.behind), inHours(ages.last), inHours(ages.oplog)];
  };
  const advance = (of: number) => {
    clock.set({ ...clock.setting(), at: clock.now().getTime() + of * HOUR_MS, since: machine.now() });
  };
  const scheduled = async () => {
    const items = [{ id: 'item', frequency: 'hourly', days: 2 }] as const;
    await store.write((tx) => scheduleSnapshot(tx, cluster, { due: tx.now, items }));
    await settled();
  };
  assert.equal(await hours(), undefined, 'a cluster without a schedule has no ages');
  await idleCluster();
  await store.write((tx) => addDefault(tx, cluster));
  await store.write((tx) => beginArchive(tx, cluster));
  await store.write((tx) => requestArchive(tx, cluster.id));
  await settled();
  await scheduled();
  assert.deepEqual(await hours(), [undefined, 0, 0]);
  objects.trouble = (call) => {
    if (call === 'put' || call === 'list') throw new Error('the store is unavailable');
  };
  await scheduled();
  advance(3);
  await settled();
  const [behind, last, oplog] = (await hours()) ?? [];
  assert.ok(behind === 3 && last === 3, `${behind} and ${last}`);
  objects.trouble = () => {};
  // The clocks of the servers do not affect the age of an archive.
  engine.time = clock.now().getTime() - 5 * HOUR_MS;
  await scheduled();
  await store.write((tx) => requestArchive(tx, cluster.id));
  await settled();
  assert.deepEqual(await hours(), [undefined, 0, 0], `${oplog}`);
  // Others are served between the clusters.
  let [turns, isDone] = [0, false];
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const many = await store.read((tx) => backupAges(tx, Array(50).fill(cluster.groupId)));
  isDone = true;
  assert.equal(many.length, 50);
  assert.ok(turns > 40, `${turns} turns of the event loop`);
  const types = (await recordedEvents()).map(({ type }) => type);
  assert.ok(types.includes('CPS_SNAPSHOT_FALLBACK_FAILED') && types.includes('CPS_SNAPSHOT_SUCCESSFUL'));
});
