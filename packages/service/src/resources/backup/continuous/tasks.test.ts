import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allSegments, oplogOf } from '../model/oplog/rows.ts';
import { openBackups } from '../testing.ts';
import { beginArchive, removeArchive, requestArchive } from './changes.ts';

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
