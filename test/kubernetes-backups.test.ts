import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { backedUp, into, type RestoreDocument, type SnapshotDocument } from './support/backups.ts';
import { expectStatus, until } from './support/expect.ts';
import { startApiServer } from './support/kubernetes/api-server.ts';
import type { StoredObject } from './support/kubernetes/objects.ts';
import { ready, resourceOf } from './support/kubernetes/resources.ts';
import { type Scope, scopeOf, temporaryFolder } from './support/service.ts';
import { openSetup } from './support/setups.ts';
import { clusterBody, gone, idle, type ListDocument } from './support/stage.ts';

const SECRET = 'the key of the storehouse';

const storage = {
  type: 's3',
  s3: { bucket: 'logbooks', region: 'us-west-2', prefix: 'harbour' },
  credentials: { AWS_ACCESS_KEY_ID: 'pilot', AWS_SECRET_ACCESS_KEY: SECRET },
};

/** Starts a service whose clusters in US_WEST_2 run on Kubernetes and have a storage for snapshots. */
async function opened(scope: Scope) {
  const api = await startApiServer(scope);
  const folder = await temporaryFolder(scope);
  const [engines, backups] = [join(folder, 'engines.yaml'), join(folder, 'backups.json')];
  await writeFile(engines, 'AWS/US_WEST_2: kubernetes\n');
  await writeFile(backups, JSON.stringify(storage));
  const setup = await openSetup(scope, 'SQLite, one instance', {
    settings: { engines, kubeconfig: api.kubeconfig, 'kubernetes-backups': backups },
    expectedErrors: /a task has failed/,
  });
  setup.keepOutOfLogs(api.token);
  setup.keepOutOfLogs(SECRET);
  return { owner: setup.account, api, project: `/groups/${setup.bootstrap.groupId}` };
}

/** The field `backup` of a resource. */
interface Backup {
  readonly storages: object;
  readonly pitr: object;
}

const west = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_WEST_2' };

describe('snapshots of clusters on Kubernetes', { concurrency: true }, () => {
  const scope = scopeOf({ after });
  let setup: Awaited<ReturnType<typeof opened>>;
  before(async () => {
    setup = await opened(scope);
  });

  /** Creates a cluster with snapshots, and reports its resource as ready. */
  async function newCluster(name: string, change: object = backedUp) {
    const { owner, api, project } = setup;
    const body = clusterBody(name, { providerSettings: west, ...change });
    expectStatus(await owner.post(`${project}/clusters`, body), 201);
    ready(api, await resourceOf(api, name));
    const cluster = `${project}/clusters/${name}`;
    await idle(owner, cluster);
    return cluster;
  }

  /** Returns the resource of a snapshot or restore. */
  const resource = (kind: 'backups' | 'restores', id: string) =>
    until(
      `the resource of ${id}`,
      async () => setup.api[kind]().find(({ metadata }) => metadata.name.endsWith(id)),
      (object) => object !== undefined,
    ) as Promise<StoredObject>;

  const completed = () => ({
    ...{ state: 'ready', size: '2.00MB', destination: 's3://logbooks/x', type: 'logical' },
    lastWriteAt: `${new Date().toISOString().slice(0, 19)}Z`,
  });

  async function requested(cluster: string): Promise<string> {
    const path = `${cluster}/backup/snapshots`;
    const body = { description: 'before the storm', retentionInDays: 2 };
    return expectStatus<SnapshotDocument>(await setup.owner.post(path, body), 200).id;
  }

  const ended = async (cluster: string, id: string) => {
    const reply = await until(
      'the end of the snapshot',
      () => setup.owner.get(`${cluster}/backup/snapshots/${id}`),
      (answer) => ['completed', 'failed'].includes(String(answer.json().status)),
    );
    return expectStatus<SnapshotDocument>(reply, 200);
  };

  async function taken(cluster: string): Promise<string> {
    const id = await requested(cluster);
    setup.api.setStatus(await resource('backups', id), completed());
    assert.equal((await ended(cluster, id)).status, 'completed');
    return id;
  }

  async function begunRestore(cluster: string, body: object): Promise<string> {
    const reply = await setup.owner.post(`${cluster}/backup/restoreJobs`, body);
    return expectStatus<RestoreDocument>(reply, 200).id;
  }

  const endedRestore = async (cluster: string, id: string) => {
    const reply = await until(
      'the end of the restore',
      () => setup.owner.get(`${cluster}/backup/restoreJobs/${id}`),
      (answer) => answer.json().finishedAt !== undefined,
    );
    return expectStatus<RestoreDocument & { result?: { problem?: string } }>(reply, 200);
  };

  const reasonsOf = async (type: string, name: string) => {
    const reply = await setup.owner.get(`${setup.project}/events?eventType=${type}&itemsPerPage=500`);
    const { results } = expectStatus<ListDocument<{ clusterName?: string; reason?: string }>>(reply, 200);
    return results.filter(({ clusterName }) => clusterName === name).map(({ reason }) => reason);
  };

  test('a snapshot is a resource whose status it follows, and its deletion deletes the resource', async () => {
    const { owner, api } = setup;
    const cluster = await newCluster('Harbour');
    const { spec, metadata } = await resourceOf(api, 'Harbour');
    const { namespace = '', name } = metadata;
    assert.deepEqual((spec?.backup as Backup | undefined)?.storages, {
      portolan: {
        type: 's3',
        s3: {
          ...{ bucket: 'logbooks', region: 'us-west-2', prefix: `harbour/${namespace}/${name}` },
          credentialsSecret: 'portolan-backup-storage',
        },
      },
    });
    const data = api.secret(namespace, 'portolan-backup-storage')?.data;
    const key = (data as Record<string, string>).AWS_SECRET_ACCESS_KEY ?? '';
    assert.equal(Buffer.from(key, 'base64').toString(), SECRET);
    const id = await requested(cluster);
    const object = await resource('backups', id);
    assert.deepEqual(object.spec, { clusterName: name, storageName: 'portolan', type: 'logical' });
    const path = `${cluster}/backup/snapshots/${id}`;
    assert.equal(expectStatus<SnapshotDocument>(await owner.get(path), 200).status, 'inProgress');
    api.setStatus(object, completed());
    const { status, storageSizeBytes } = await ended(cluster, id);
    assert.deepEqual([status, storageSizeBytes], ['completed', 2 * 1024 ** 2]);
    expectStatus(await owner.delete(path), 204);
    await until(
      'the deletion of the resource',
      async () => api.backups().find(({ metadata: { uid } }) => uid === object.metadata.uid),
      (found) => found === undefined || found.metadata.deletionTimestamp !== undefined,
    );
  });

  test('a failed snapshot has the message of the operator', async () => {
    const cluster = await newCluster('Quay');
    const id = await requested(cluster);
    setup.api.setStatus(await resource('backups', id), { state: 'error', error: 'no such bucket' });
    assert.equal((await ended(cluster, id)).status, 'failed');
    assert.deepEqual(await reasonsOf('CPS_SNAPSHOT_FAILED', 'Quay'), [
      'the operator reports an error: no such bucket',
    ]);
  });

  test('a restore is a resource whose status it follows', async () => {
    const { owner, api, project } = setup;
    const cluster = await newCluster('Pier');
    const snapshot = await taken(cluster);
    const body = { deliveryType: 'automated', ...into(project, 'Pier', snapshot) };
    const id = await begunRestore(cluster, body);
    const { spec } = await resource('restores', id);
    assert.equal(spec?.backupName, `snapshot-${snapshot}`);
    const updating = expectStatus<{ stateName: string }>(await owner.get(cluster), 200);
    assert.equal(updating.stateName, 'UPDATING');
    api.setStatus(await resource('restores', id), { state: 'ready' });
    const { failed, result } = await endedRestore(cluster, id);
    assert.deepEqual([failed, result], [false, undefined]);
    await idle(owner, cluster);
    const again = await begunRestore(cluster, body);
    api.setStatus(await resource('restores', again), { state: 'error', error: 'the chunk is gone' });
    const problem = 'the operator reports an error: the chunk is gone';
    const end = await endedRestore(cluster, again);
    assert.deepEqual([end.failed, end.result?.problem], [true, problem]);
    assert.deepEqual(await reasonsOf('CPS_RESTORE_FAILED', 'Pier'), [problem]);
    await idle(owner, cluster);
  });

  test('the operator gets one snapshot or restore of a cluster at a time', async () => {
    const { owner, api, project } = setup;
    const cluster = await newCluster('Capstan');
    const body = { deliveryType: 'automated', ...into(project, 'Capstan', await taken(cluster)) };
    const during = await requested(cluster);
    await resource('backups', during);
    const refused = await owner.post(`${cluster}/backup/restoreJobs`, body);
    assert.equal(
      expectStatus<{ errorCode: string }>(refused, 409).errorCode,
      'RESTORE_INITIATION_FAILED',
      refused.text,
    );
    api.setStatus(await resource('backups', during), completed());
    assert.equal((await ended(cluster, during)).status, 'completed');
    const restore = await begunRestore(cluster, body);
    await resource('restores', restore);
    const waiting = await requested(cluster);
    const { status } = expectStatus<SnapshotDocument>(
      await owner.get(`${cluster}/backup/snapshots/${waiting}`),
      200,
    );
    assert.equal(status, 'queued');
    api.setStatus(await resource('restores', restore), { state: 'ready' });
    assert.equal((await endedRestore(cluster, restore)).failed, false);
    api.setStatus(await resource('backups', waiting), completed());
    assert.equal((await ended(cluster, waiting)).status, 'completed');
  });

  test('a point in time is restored by whole seconds', async () => {
    const { owner, api, project } = setup;
    const cluster = await newCluster('Mole', { ...backedUp, pitEnabled: true });
    const { spec: made } = await resourceOf(api, 'Mole');
    assert.deepEqual((made?.backup as Backup | undefined)?.pitr, { enabled: true });
    const snapshot = await taken(cluster);
    const { snapshotId: _, ...target } = into(project, 'Mole', '');
    const now = Math.floor(Date.now() / 1000);
    const body = { deliveryType: 'pointInTime', ...target };
    const jobs = `${cluster}/backup/restoreJobs`;
    const exact = await owner.post(jobs, { ...body, oplogTs: now, oplogInc: 1 });
    assert.equal(expectStatus<{ errorCode: string }>(exact, 400).errorCode, 'INVALID_ATTRIBUTE');
    const early = await owner.post(jobs, { ...body, pointInTimeUTCSeconds: now - 3600 });
    assert.equal(
      expectStatus<{ errorCode: string }>(early, 404).errorCode,
      'UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME',
    );
    const id = await begunRestore(cluster, { ...body, pointInTimeUTCSeconds: now });
    const { spec } = await resource('restores', id);
    const date = new Date((now + 1) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    assert.deepEqual(spec, {
      ...{ clusterName: spec?.clusterName, backupName: `snapshot-${snapshot}`, pitr: { type: 'date', date } },
    });
    api.setStatus(await resource('restores', id), { state: 'ready' });
    assert.equal((await endedRestore(cluster, id)).failed, false);
  });

  test('a deleted cluster deletes the resources of its snapshots', async () => {
    const { owner, api } = setup;
    const cluster = await newCluster('Dock');
    const snapshot = await taken(cluster);
    expectStatus(await owner.delete(cluster), 202);
    const object = await resourceOf(api, 'Dock', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    assert.equal((await resource('backups', snapshot)).metadata.deletionTimestamp, undefined);
    api.finish(object);
    await gone(owner, cluster);
    await until(
      'the deletion of the snapshot',
      async () => api.backups().find(({ metadata }) => metadata.name.endsWith(snapshot)),
      (found) => found?.metadata.deletionTimestamp !== undefined,
    );
  });

  test('what needs the files of a snapshot is rejected', async () => {
    const { owner, project } = setup;
    const cluster = await newCluster('Buoy');
    const snapshotId = await taken(cluster);
    const east = clusterBody('East', backedUp);
    expectStatus(await owner.post(`${project}/clusters`, east), 201);
    await idle(owner, `${project}/clusters/East`);
    const regionName = 'EU_WEST_1';
    const zoneId = '0'.repeat(24);
    const copySettings = [{ cloudProvider: 'AWS', regionName, zoneId, frequencies: ['DAILY'] }];
    const requests: readonly (readonly [string, () => ReturnType<typeof owner.get>])[] = [
      [
        'NOT_SUPPORTED_BY_ENGINE',
        () => owner.post(`${cluster}/backup/restoreJobs`, { deliveryType: 'download', snapshotId }),
      ],
      ['NOT_SUPPORTED_BY_ENGINE', () => owner.patch(`${cluster}/backup/schedule`, { copySettings })],
      [
        'RESTORE_INITIATION_FAILED',
        () =>
          owner.post(`${cluster}/backup/restoreJobs`, {
            ...{ deliveryType: 'automated', ...into(project, 'East', snapshotId) },
          }),
      ],
    ];
    for (const [code, send] of requests) {
      const reply = await send();
      assert.equal(reply.json().errorCode, code, reply.text);
    }
    const bare = await newCluster('Raft', {});
    const reply = await owner.post(`${cluster}/backup/restoreJobs`, {
      ...{ deliveryType: 'automated', ...into(project, 'Raft', snapshotId) },
    });
    assert.match(reply.text, /no cloud backup/);
    expectStatus(await owner.get(bare), 200);
  });
});
