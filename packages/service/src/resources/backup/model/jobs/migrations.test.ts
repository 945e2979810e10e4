import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { countOf } from '../../../../store/index.ts';
import { openFormer } from '../../../clusters/testing.ts';
import { openDownloads } from '../downloads/rows.ts';
import { restoreCount } from '../restore-count.ts';
import { openRestores } from '../restores/rows.ts';
import { jobById, pageOfJobs, recountJobs } from './rows.ts';

interface FormerTables {
  backup_restore: {
    id: string;
    group_id: string;
    cluster_id: string;
    target_id: string;
    finished: number | null;
    document: string;
  };
}

const [TAKEN, ENDED, REQUESTED, EXPIRES] = [1, 2, 3, 4].map((n) => new Date(n * 1_000_000_000_001)) as [
  Date,
  Date,
  Date,
  Date,
];
const compared = { collections: 1, documents: 3 };
const archives = [
  { bytes: 367, hash: '586e', parts: ['586e'] },
  { bytes: 93, hash: 'd296' },
];
const facts = { snapshotId: 's', timestamp: TAKEN, snapshotFinished: ENDED, requested: REQUESTED };
const target = { targetGroupId: 'other group', targetClusterName: 'other' };
const pointInTime = { seconds: 1_795_708_962, increment: 5 };
const download = { hours: 4, source: 'whole', host: 'host', clusterName: 'c' };

const former = {
  'a restore': { ...facts, ...target, sourceName: 'c', pointInTime, awaitedRun: 7, begun: true, compared },
  'b old restore': { snapshotId: 's', timestamp: TAKEN, ...target, problem: 'the host failed' },
  'c download': {
    ...facts,
    compared,
    begun: true,
    download: { ...download, members: ['0', '1'], ofShard: true, archives, expiresAt: EXPIRES },
  },
  'd cancelled': { ...facts, download: { ...download, ended: 'cancelled' } },
};

onEachDatabase('the facts of stored restores and downloads are moved to two tables', async (t, database) => {
  const { store, groupId, opened } = await openFormer(t, database, [207]);
  const rows = Object.entries(former).map(([id, one]) => ({
    id,
    group_id: groupId,
    cluster_id: 'c',
    target_id: 'download' in one ? '' : 'target',
    finished: /old|cancelled/.test(id) ? ENDED.getTime() : null,
    document: JSON.stringify(one),
  }));
  await store.write((tx) => tx.from<FormerTables>().insertInto('backup_restore').values(rows).execute());

  const place = { groupId, clusterId: 'c', snapshotId: 's', timestamp: TAKEN };
  const absent = { compared: undefined, problem: undefined };
  const common = { ...place, snapshotFinished: ENDED, requested: REQUESTED, finished: undefined };
  const restore = { kind: 'restore', ...common, ...absent, targetId: 'target', ...target };
  const of = { ...download, kind: 'download', ...common, ...absent };
  const expected = [
    { ...restore, id: 'a restore', sourceName: 'c', pointInTime, awaitedRun: 7, begun: true, compared },
    {
      ...restore,
      id: 'b old restore',
      sourceName: undefined,
      snapshotFinished: TAKEN,
      requested: TAKEN,
      pointInTime: undefined,
      awaitedRun: undefined,
      begun: false,
      finished: ENDED,
      problem: 'the host failed',
    },
    {
      ...of,
      id: 'c download',
      members: ['0', '1'],
      ofShard: true,
      begun: true,
      archives,
      expires: EXPIRES,
      compared,
      ended: undefined,
    },
    {
      ...of,
      id: 'd cancelled',
      members: undefined,
      ofShard: false,
      begun: false,
      archives: undefined,
      expires: undefined,
      finished: ENDED,
      ended: 'cancelled',
    },
  ];
  await (await opened()).write(async (tx) => {
    const all = (clusterId: string, pageNum: number) =>
      pageOfJobs(tx, clusterId, { itemsPerPage: 3, pageNum });
    const [first, second] = [await all('c', 1), await all('c', 2)];
    assert.deepEqual([...first.rows, ...second.rows], expected);
    assert.deepEqual((await all('target', 1)).rows, expected.slice(0, 2));
    const after = { itemsPerPage: 3, pageNum: 1, after: String(first.next) };
    assert.deepEqual((await pageOfJobs(tx, 'c', after)).rows, expected.slice(3));
    assert.deepEqual(await jobById(tx, 'c download'), expected[2]);
    assert.deepEqual(await openRestores(tx, 'c'), expected.slice(0, 1));
    assert.deepEqual(await openDownloads(tx, groupId), expected.slice(2, 3));
    await recountJobs(tx, 'c');
    assert.equal(await countOf(tx, restoreCount, 'c'), 4);
  });
});
