import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { system } from '../../../events/index.ts';
import { changeSettings } from '../../clusters/index.ts';
import { allSegments, oplogOf } from '../model/oplog/rows.ts';
import { snapshotsOf } from '../model/snapshots/rows.ts';
import { endRestore } from '../restores/changes.ts';
import { requestSnapshot } from '../snapshots/changes.ts';
import { insertRestore, openBackups, restoreRow } from '../testing.ts';
import { beginArchive, removeArchive, requestArchive, retainArchive } from './changes.ts';

const DAY_MS = 86_400_000;

async function opened(t: TestContext) {
  const backups = await openBackups(t);
  const { store, cluster, objects, settled } = backups;
  await backups.idleCluster();
  await store.write((tx) => beginArchive(tx, cluster));
  const folder = `${cluster.id}/oplog/`;
  return {
    ...backups,
    async archived() {
      await store.write((tx) => requestArchive(tx, cluster.id));
      await settled();
    },
    spans: async () => (await store.read((tx) => oplogOf(tx, cluster.id)))?.facts.spans ?? [],
    keys: () => [...objects.content.keys()].filter((key) => key.startsWith(folder)).toSorted(),
    async named() {
      const segments = await store.read((tx) => allSegments(tx, cluster.id));
      return segments.map(({ after, hash }) => `${folder}${after.seconds}.1-${hash}`).toSorted();
    },
  };
}

test('an archive continues its last span, and a gap begins a new span', async (t) => {
  const { archived, engine, spans, keys, named } = await opened(t);
  await archived();
  engine.entries = [100, 101, 102];
  await archived();
  engine.entries = [101, 102, 103];
  await archived();
  assert.deepEqual(
    (await spans()).map(({ begun, through }) => [begun.seconds, through.seconds]),
    [[100, 103]],
  );
  engine.entries = [110, 111];
  await archived();
  engine.entries = [110, 111, 112];
  await archived();
  assert.deepEqual(
    (await spans()).map(({ begun, through }) => [begun.seconds, through.seconds]),
    [
      [100, 103],
      [111, 112],
    ],
  );
  assert.equal(keys().length, 4);
  assert.deepEqual(keys(), await named());
});

test('a gap is recorded and, for an adopted deployment, followed by a snapshot at most once an hour', async (t) => {
  const { archived, adoptCluster, cluster, clock, engine, recordedEvents, store, settled } = await opened(t);
  const outcome = async () => {
    const gaps = (await recordedEvents()).filter(({ type }) => type === 'CPS_OPLOG_GAP').length;
    return [gaps, (await store.read((tx) => snapshotsOf(tx, cluster.id))).length];
  };
  await archived();
  assert.deepEqual(await outcome(), [0, 0]);
  engine.entries = [110, 111];
  await archived();
  assert.deepEqual(await outcome(), [1, 0]);
  await adoptCluster();
  for (const [entry, snapshots] of [
    [120, 1],
    [130, 1],
  ] as const) {
    engine.entries = [entry];
    await archived();
    assert.equal((await outcome())[1], snapshots);
  }
  clock.set({ ...clock.setting(), at: clock.setting().at + 2 * 3_600_000 });
  engine.entries = [140];
  await archived();
  await settled();
  assert.deepEqual(await outcome(), [4, 2]);
});

test('after a gap, only a cluster with a replaced history continues from an earlier snapshot', async (t) => {
  const { adoptCluster, archived, cluster, engine, settled, spans, store } = await opened(t);
  const retention = { value: 3, unit: 'DAYS' } as const;
  const last = async () => (await spans()).at(-1)?.begun.seconds;
  // The test engine takes its snapshots at this position.
  engine.entries = [1];
  await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
  await settled();
  engine.entries = [1, 5];
  await archived();
  engine.entries = [1, 6];
  await archived();
  assert.equal(await last(), 1);
  await adoptCluster();
  engine.entries = [1, 7];
  await archived();
  assert.equal(await last(), 7);
});

test('a failure between writing an object and its row leaves no object behind', async (t) => {
  const { archived, engine, objects, keys, named } = await opened(t);
  await archived();
  engine.entries = [100, 101, 102];
  let puts = 0;
  objects.trouble = (call) => {
    if (call !== 'put' || ++puts !== 2) return;
    // The retry reads one more entry, so its segments differ.
    engine.entries = [100, 101, 102, 103];
    throw new Error('the store is unavailable');
  };
  await archived();
  assert.equal(keys().length, 3);
  assert.deepEqual(keys(), await named());
});

test('a failure of the store is recorded, and the archive is kept', async (t) => {
  const { archived, cluster, engine, objects, keys, store, recordedEvents } = await opened(t);
  await archived();
  engine.entries = [100, 101];
  await archived();
  engine.entries = [100, 101, 102];
  objects.trouble = (call) => {
    if (call === 'put') throw new Error('the store is unavailable');
  };
  await archived();
  const facts = async () => (await store.read((tx) => oplogOf(tx, cluster.id)))?.facts;
  assert.equal((await facts())?.problem?.reason, 'the store is unavailable');
  assert.equal(keys().length, 1);
  objects.trouble = () => {};
  await archived();
  assert.deepEqual([keys().length, (await facts())?.problem], [2, undefined]);
  assert.equal((await recordedEvents()).filter(({ type }) => type === 'CPS_OPLOG_CAUGHT_UP').length, 1);
  await store.write((tx) => removeArchive(tx, cluster.id));
  await archived();
  assert.deepEqual(keys(), []);
});

test('an archive is kept during a restore to a point in time', async (t) => {
  const { archived, cluster, clock, keys, settled, spans, store } = await opened(t);
  await archived();
  const restore = await store.write(async (tx) => {
    const row = { ...restoreRow(tx, cluster, 'snapshot'), pointInTime: { seconds: 100 } };
    await insertRestore(tx, row);
    return row;
  });
  const continuous = await store.write((tx) =>
    changeSettings(tx, cluster, { providerBackupEnabled: true, pitEnabled: true }, system),
  );
  await assert.rejects(
    store.write((tx) => changeSettings(tx, continuous, { pitEnabled: false }, system)),
    { code: 'OPLOG_IN_USE', parameters: [cluster.name] },
  );
  await store.write((tx) => retainArchive(tx, cluster.id));
  clock.set({ ...clock.setting(), at: clock.setting().at + 8 * DAY_MS });
  await settled();
  assert.equal((await spans()).length, 1);
  await store.write((tx) => endRestore(tx, restore, { collections: 1, documents: 1 }));
  await settled();
  assert.deepEqual([await spans(), keys()], [[], []]);
});
