import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotYet, PermanentFailure } from '../../tasks/index.ts';
import type { kubernetesEngine } from './engine.ts';
import { wantedCluster } from './testing.ts';
import { ID, opened, stored } from './testing-engine.ts';
import { type BackupSettings, defaultBackupImage, type ExportBucket, type ExportStorage } from './wanted.ts';

const storage: BackupSettings = {
  ...{ image: defaultBackupImage, type: 's3', credentialsVersion: 'v1' },
  fields: { bucket: 'logbooks', region: 'eu-west-1' },
  credentials: { AWS_ACCESS_KEY_ID: 'pilot', AWS_SECRET_ACCESS_KEY: 'two bells' },
};
const NAMESPACE = 'portolan-6b09fcbcd8f3f01d21dbe25c';
const NAME = 'harbour-a1b2c3';
const SNAPSHOT = '6b09fcbcd8f3f01d21dbe301';
const OTHER = '6b09fcbcd8f3f01d21dbe302';
const RESTORE = '6b09fcbcd8f3f01d21dbe303';
const spec = { id: ID } as Parameters<ReturnType<typeof kubernetesEngine>['provision']>[0];

const ownStorage: ExportStorage = {
  ...{ projectId: wantedCluster.projectId, type: 's3', credentialsVersion: 'v2' },
  fields: { bucket: 'charts.of_harbour', region: 'eu-west-1' },
};

/** Creates an engine whose cluster has snapshots. The operator reports the resource of the cluster as ready. */
async function ready(
  backups: { continuous: boolean } = { continuous: false },
  exportBuckets: readonly ExportStorage[] = [],
) {
  const all = opened({ backups: { ...storage, exportBuckets } });
  all.state.stored = { ...stored, wanted: { ...wantedCluster, backups } };
  await all.engine.provision(spec);
  all.change({ status: { state: 'ready', observedGeneration: 1 } });
  const { objects } = all;
  const setStatus = (key: string, status: object) =>
    objects.set(key, { ...objects.get(key), status: status as Record<string, unknown> });
  return { ...all, setStatus, backups: all.engine.backups };
}

const waits = (message: string | RegExp) => (error: unknown) => {
  assert.ok(error instanceof NotYet);
  assert.match(error.message, new RegExp(message));
  return true;
};
const fails = (message: string) => (error: unknown) => {
  assert.ok(error instanceof PermanentFailure);
  assert.equal(error.message, message);
  return true;
};

test('the storage is in the resource of a cluster with snapshots, with a prefix of its own', async () => {
  const { resource, objects } = await ready({ continuous: true });
  assert.deepEqual(resource().spec?.backup, {
    ...{ enabled: true, image: 'percona/percona-backup-mongodb:2.12.0' },
    storages: {
      portolan: {
        type: 's3',
        s3: {
          ...{ bucket: 'logbooks', region: 'eu-west-1', prefix: `${NAMESPACE}/${NAME}` },
          credentialsSecret: 'portolan-backup-storage',
        },
      },
    },
    pitr: { enabled: true },
  });
  assert.deepEqual(objects.get('Secret/portolan-backup-storage')?.metadata?.namespace, NAMESPACE);
  assert.equal(resource().metadata?.annotations?.['portolan/backup-credentials'], 'v1');
});

test('clusters without snapshots have no storage', async () => {
  for (const settings of [{ backups: storage }, {}]) {
    const { engine, resource, objects } = opened(settings);
    await engine.provision(spec);
    assert.equal(resource().spec?.backup, undefined);
    assert.ok(!objects.has('Secret/portolan-backup-storage'));
  }
});

test('a storage for an export bucket is in the resources of its project, without credentials if it has none', async () => {
  const azure: ExportStorage = {
    ...{ projectId: wantedCluster.projectId, type: 'azure', credentialsVersion: 'v3' },
    fields: { container: 'charts' },
    credentials: { AZURE_STORAGE_ACCOUNT_NAME: 'harbour', AZURE_STORAGE_ACCOUNT_KEY: 'three bells' },
  };
  const foreign = { ...ownStorage, projectId: '6b09fcbcd8f3f01d21dbe2ff', fields: { bucket: 'foreign' } };
  const { resource, objects } = await ready({ continuous: false }, [ownStorage, azure, foreign]);
  const prefix = `${NAMESPACE}/${NAME}`;
  assert.partialDeepStrictEqual(resource().spec?.backup, {
    storages: {
      portolan: { main: true },
      's3-charts-of-harbour': {
        type: 's3',
        s3: { bucket: 'charts.of_harbour', region: 'eu-west-1', prefix },
      },
      'azure-charts': {
        type: 'azure',
        azure: { container: 'charts', prefix, credentialsSecret: 'portolan-backup-storage-azure-charts' },
      },
    },
  });
  assert.ok(!JSON.stringify(resource()).includes('foreign'));
  const secrets = [...objects.keys()].filter((key) => key.startsWith('Secret/portolan-backup'));
  assert.deepEqual(secrets, [
    'Secret/portolan-backup-storage',
    'Secret/portolan-backup-storage-azure-charts',
  ]);
  assert.equal(resource().metadata?.annotations?.['portolan/backup-credentials'], 'v1,v3');
});

test('a snapshot is stored in the oldest export bucket that has a storage', async () => {
  const azure: ExportStorage = {
    ...{ projectId: wantedCluster.projectId, type: 'azure', credentialsVersion: 'v3' },
    fields: { container: 'charts' },
    credentials: { AZURE_STORAGE_ACCOUNT_NAME: 'harbour', AZURE_STORAGE_ACCOUNT_KEY: 'three bells' },
  };
  const s3 = { type: 's3', bucket: 'charts.of_harbour' } as const;
  const container = { type: 'azure', bucket: 'charts', account: 'harbour' } as const;
  const cases: readonly (readonly [readonly ExportBucket[], boolean, string])[] = [
    [[], false, 'portolan'],
    [[s3, container], false, 's3-charts-of-harbour'],
    [[{ ...s3, bucket: 'others' }, container, s3], false, 'azure-charts'],
    [[{ ...container, account: 'elsewhere' }], false, 'portolan'],
    [[s3], true, 'portolan'],
  ];
  for (const [buckets, continuous, expected] of cases) {
    const { backups, objects, state } = await ready({ continuous }, [ownStorage, azure]);
    state.exportBuckets = buckets;
    await assert.rejects(backups.take(ID, SNAPSHOT), waits('has not seen the snapshot'));
    const found = objects.get(`PerconaServerMongoDBBackup/snapshot-${SNAPSHOT}`);
    assert.equal(found?.spec?.storageName, expected);
  }
});

test('a snapshot is a resource, and ends when the operator reports it ready', async () => {
  const { backups, objects, setStatus } = await ready();
  const key = `PerconaServerMongoDBBackup/snapshot-${SNAPSHOT}`;
  await assert.rejects(backups.take(ID, SNAPSHOT), waits('has not seen the snapshot'));
  const { metadata, ...rest } = objects.get(key) ?? {};
  assert.deepEqual(rest, {
    ...{ apiVersion: 'psmdb.percona.com/v1', kind: 'PerconaServerMongoDBBackup' },
    spec: { clusterName: NAME, storageName: 'portolan', type: 'logical' },
  });
  assert.deepEqual(
    [metadata?.namespace, metadata?.finalizers, metadata?.labels?.['portolan/cluster']],
    [NAMESPACE, ['percona.com/delete-backup'], ID],
  );
  await assert.rejects(backups.take(ID, SNAPSHOT), waits('has not begun'));
  setStatus(key, { state: 'running' });
  await assert.rejects(backups.take(ID, SNAPSHOT), waits('reports the state running'));
  setStatus(key, { state: 'ready', size: '29.50KB', lastWriteAt: '2025-04-01T00:00:07Z' });
  const seconds = Date.UTC(2025, 3, 1, 0, 0, 7) / 1000;
  assert.deepEqual(await backups.take(ID, SNAPSHOT), { bytes: 30_208, seconds });
});

test('a snapshot fails with the message of the operator', async () => {
  const { backups, setStatus } = await ready();
  await assert.rejects(backups.take(ID, SNAPSHOT), NotYet);
  setStatus(`PerconaServerMongoDBBackup/snapshot-${SNAPSHOT}`, { state: 'error', error: 'no such bucket' });
  await assert.rejects(backups.take(ID, SNAPSHOT), fails('the operator reports an error: no such bucket'));
});

test('a snapshot waits until the cluster is ready', async () => {
  const { backups, objects, change } = await ready();
  change({ status: { state: 'initializing', observedGeneration: 1 } });
  await assert.rejects(backups.take(ID, SNAPSHOT), waits('reports the state initializing'));
  assert.ok(!objects.has(`PerconaServerMongoDBBackup/snapshot-${SNAPSHOT}`));
});

test('without a storage, a snapshot fails', async () => {
  const { engine } = opened();
  await engine.provision(spec);
  await assert.rejects(
    engine.backups.take(ID, SNAPSHOT),
    fails('the setting --kubernetes-backups names no storage'),
  );
});

test('a restore is a resource, and ends when the operator reports it and the cluster ready', async () => {
  const { backups, objects, setStatus, change } = await ready();
  const wanted = { restoreId: RESTORE, snapshotId: SNAPSHOT, clusterId: ID };
  await assert.rejects(
    backups.restore(wanted),
    fails(`the resource snapshot-${SNAPSHOT} of the snapshot is missing`),
  );
  await assert.rejects(backups.take(ID, SNAPSHOT), NotYet);
  await assert.rejects(backups.restore(wanted), waits('has not seen the restore'));
  const key = `PerconaServerMongoDBRestore/restore-${RESTORE}`;
  assert.deepEqual(objects.get(key)?.spec, { clusterName: NAME, backupName: `snapshot-${SNAPSHOT}` });
  setStatus(key, { state: 'requested' });
  await assert.rejects(backups.restore(wanted), waits('reports the state requested'));
  setStatus(key, { state: 'ready' });
  change({ status: { state: 'initializing', observedGeneration: 1 } });
  await assert.rejects(backups.restore(wanted), waits('reports the state initializing'));
  change({ status: { state: 'ready', observedGeneration: 1 } });
  await backups.restore(wanted);
  for (const state of ['error', 'rejected']) {
    setStatus(key, { state });
    await assert.rejects(backups.restore(wanted), fails('the operator reports an error: it gives no reason'));
  }
});

test('a restore to a point in time includes its whole second', async () => {
  const { backups, objects } = await ready({ continuous: true });
  await assert.rejects(backups.take(ID, SNAPSHOT), NotYet);
  const until = Date.UTC(2025, 3, 1, 23, 59, 59) / 1000;
  const wanted = { restoreId: RESTORE, snapshotId: SNAPSHOT, clusterId: ID, until };
  await assert.rejects(backups.restore(wanted), NotYet);
  assert.deepEqual(objects.get(`PerconaServerMongoDBRestore/restore-${RESTORE}`)?.spec?.pitr, {
    ...{ type: 'date', date: '2025-04-02 00:00:00' },
  });
});

test('a restore to another cluster names the place of the files', async () => {
  const { backups, objects, setStatus, state, engine, change } = await ready();
  await assert.rejects(backups.take(ID, SNAPSHOT), NotYet);
  const place = { type: 'logical', destination: 's3://logbooks/a/b', s3: { bucket: 'logbooks' } };
  const key = `PerconaServerMongoDBBackup/snapshot-${SNAPSHOT}`;
  setStatus(key, { ...place, state: 'ready', pbmName: 'b' });
  objects.set(key, { ...objects.get(key), spec: { clusterName: 'quay-d4e5f6' } });
  state.stored = { ...stored, wanted: { ...wantedCluster, backups: { continuous: false } } };
  await engine.provision(spec);
  change({ status: { state: 'ready', observedGeneration: 1 } });
  await assert.rejects(backups.restore({ restoreId: RESTORE, snapshotId: SNAPSHOT, clusterId: ID }), NotYet);
  assert.deepEqual(objects.get(`PerconaServerMongoDBRestore/restore-${RESTORE}`)?.spec, {
    ...{ clusterName: NAME, backupSource: place },
  });
});

test('the resources of deleted snapshots are deleted, even after their cluster', async () => {
  const { backups, objects, state, refuse } = await ready();
  for (const id of [SNAPSHOT, OTHER]) await assert.rejects(backups.take(ID, id), NotYet);
  state.stored = undefined;
  await backups.forgetAllBut('6b09fcbcd8f3f01d21dbe2ff', new Set());
  await backups.forgetAllBut(ID, new Set([OTHER]));
  const left = [...objects.keys()].filter((key) => key.startsWith('PerconaServerMongoDBBackup/'));
  assert.deepEqual(left, [`PerconaServerMongoDBBackup/snapshot-${OTHER}`]);
  refuse(Object.assign(new Error('no such kind'), { code: 404, reason: 'KindMissing' }));
  await backups.forgetAllBut(ID, new Set());
});
