import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { BackupDamaged } from '../chunk-store/chunk-store.ts';
import { beginArchive, removeArchive, requestArchive } from '../continuous/changes.ts';
import { allSegments } from '../model/oplog/rows.ts';
import { defaultSchedule } from '../model/schedules/policy.ts';
import { putSchedule } from '../model/schedules/rows.ts';
import { openBackups } from '../testing.ts';
import { removeOplogCopy } from './changes.ts';
import { oplogReader } from './reader.ts';
import { oplogCopiesOf } from './rows.ts';

const WEST = 'AWS/EU_WEST_1';

async function opened(t: TestContext) {
  const backups = await openBackups(t);
  const { store, cluster, objects, services, settled } = backups;
  await backups.idleCluster();
  await store.write((tx) => beginArchive(tx, cluster));
  const copyTo = (...regions: readonly string[]) =>
    store.write((tx) => {
      const zone = { zone: '', zoneId: '', provider: 'AWS', frequencies: [], oplogs: true } as const;
      const copies = regions.map((region) => ({ ...zone, region: region.slice(4) }));
      const schedule = { ...defaultSchedule(tx.now, false, () => tx.id()), copies };
      const { id: clusterId, groupId } = cluster;
      return putSchedule(tx, { clusterId, groupId, next: undefined, schedule });
    });
  await copyTo(WEST);
  return {
    ...backups,
    copyTo,
    async archived(...entries: readonly number[]) {
      backups.engine.entries = entries;
      await store.write((tx) => requestArchive(tx, cluster.id));
      await settled();
    },
    keys(region?: string) {
      const prefix = `${region === undefined ? '' : `regions/${region}/`}${cluster.id}/oplog/`;
      const all = [...objects.content.keys()].filter((key) => key.startsWith(prefix));
      return all.map((key) => key.slice(prefix.length)).toSorted();
    },
    async read(first?: string) {
      const parts = { ...services, log: silentLog() };
      const read = oplogReader(parts, cluster.id, [WEST], first);
      const segments = await store.read((tx) => allSegments(tx, cluster.id));
      const contents = segments.map(async (segment) => Buffer.from(await read(segment)).toString());
      return (await Promise.all(contents)).toSorted();
    },
    regions: async () =>
      (await store.read((tx) => oplogCopiesOf(tx, cluster.id))).map(({ region }) => region),
  };
}

test('archived segments are copied, and lost or truncated ones are read from the copy', async (t) => {
  const { archived, keys, read, objects, cluster } = await opened(t);
  await archived(100);
  await archived(100, 101, 102);
  assert.deepEqual([keys(WEST).length, keys(WEST)], [2, keys()]);
  // Only new segments are sent.
  const put: string[] = [];
  objects.trouble = (call, key) => void (call === 'put' && put.push(key));
  await archived(100, 101, 102, 103);
  assert.equal(put.filter((key) => key.startsWith('regions/')).length, 1);
  const [one = '', other = ''] = keys().map((key) => `${cluster.id}/oplog/${key}`);
  objects.content.delete(one);
  objects.content.set(other, Buffer.from('1'));
  assert.deepEqual(await read(), ['101', '102', '103']);
  // The content has the right length, so only an engine detects this damage. A retry then reads from the region first.
  objects.content.set(other, Buffer.from('???'));
  assert.deepEqual(await read(WEST), ['101', '102', '103']);
  objects.content.delete(`regions/${WEST}/${one}`);
  await assert.rejects(read(), BackupDamaged);
});

test('a region receives what it missed while it was unavailable, and archiving does not wait for it', async (t) => {
  const { archived, keys, objects } = await opened(t);
  await archived(100);
  objects.trouble = (call, key) => {
    if (call === 'put' && key.startsWith('regions/')) throw new Error('the region is unavailable');
  };
  await archived(100, 101, 102);
  assert.deepEqual([keys().length, keys(WEST)], [2, []]);
  objects.trouble = () => {};
  await archived(100, 101, 102, 103);
  assert.deepEqual([keys(WEST).length, keys(WEST)], [3, keys()]);
});

test('copies of the oplog are kept until they or the archive are removed', async (t) => {
  const { archived, cluster, keys, regions, settled, store, copyTo } = await opened(t);
  await archived(100);
  await archived(100, 101);
  await copyTo();
  await archived(100, 101, 102);
  assert.deepEqual([keys().length, keys(WEST).length], [2, 1]);
  await store.write((tx) => removeOplogCopy(tx, cluster, WEST));
  await settled();
  assert.deepEqual([keys().length, keys(WEST), await regions()], [2, [], []]);
  // A region gets a new copy if the schedule requires the region again.
  await copyTo(WEST);
  await archived(100, 101, 102, 103);
  assert.deepEqual([keys(WEST).length, keys(WEST)], [3, keys()]);
  await store.write((tx) => removeArchive(tx, cluster.id));
  await settled();
  assert.deepEqual([keys(), keys(WEST), await regions()], [[], [], []]);
});
