import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openFormer } from '../../../clusters/testing.ts';
import { activeExports, exportById, exportOfComponent, hasActiveExports } from './rows.ts';

interface FormerTables {
  backup_export: {
    id: string;
    group_id: string;
    cluster_id: string;
    snapshot_id: string;
    bucket_id: string;
    active: number;
    document: string;
  };
}

const STARTED = '2026-11-26T16:02:42.341Z';
const CREATED = '2026-11-26T16:02:42.798Z';
const FINISHED = '2026-11-26T16:02:43.104Z';

const labels = [{ key: 'who', value: 'says "aye"' }];
const names = { orgId: 'org', orgName: 'Org', groupName: 'Group' };
const common = {
  clusterName: 'c',
  created: CREATED,
  prefix: 'exports/1795708962',
  customData: labels,
  origin: { ...names, labels, snapshotDate: STARTED },
};
const running = { ...common, state: 'InProgress', exported: 1, total: 2 };
const reason = { errorCode: 'EXPORT_BUCKET_NOT_FOUND', message: 'the export bucket was removed' };
const failed = { ...common, state: 'Failed', finished: FINISHED, exported: 0, total: 0, reason };
const components = ['b', 'a'].map((exportId) => ({ exportId, replicaSetName: `shard of ${exportId}` }));
const former = { running, failed: { ...failed, bySchedule: true, components } };

onEachDatabase('the facts of stored exports are moved to columns', async (t, database) => {
  const { store, groupId, opened } = await openFormer(t, database, [206]);
  const place = { cluster_id: 'c', snapshot_id: 's', bucket_id: 'bucket' };
  const rows = Object.entries(former).map(([id, facts]) => {
    const active = facts.state === 'InProgress' ? 1 : 0;
    return { id, group_id: groupId, ...place, active, document: JSON.stringify(facts) };
  });
  await store.write((tx) => tx.from<FormerTables>().insertInto('backup_export').values(rows).execute());
  const expected = {
    groupId,
    clusterId: 'c',
    clusterName: 'c',
    snapshotId: 's',
    bucketId: 'bucket',
    origin: { ...names, labels, snapshotDate: new Date(STARTED) },
    created: new Date(CREATED),
    finished: undefined,
    prefix: 'exports/1795708962',
    customData: labels,
    bySchedule: false,
  };
  const runningRow = { ...expected, id: 'running', state: 'InProgress', exported: 1, total: 2 };
  const end = { state: 'Failed', finished: new Date(FINISHED), exported: 0, total: 0, reason };
  const failedRow = { ...expected, id: 'failed', bySchedule: true, ...end, components };
  await (await opened()).read(async (tx) => {
    assert.deepEqual(await exportById(tx, 'running'), runningRow);
    assert.deepEqual(await exportById(tx, 'failed'), failedRow);
    assert.deepEqual(await exportOfComponent(tx, 'a'), failedRow);
    assert.equal(await exportOfComponent(tx, 'running'), undefined);
    assert.deepEqual(await activeExports(tx, 'c'), [runningRow]);
    assert.equal(await hasActiveExports(tx, 'bucket'), true);
  });
});
