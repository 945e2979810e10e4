import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newS3Bucket } from './support/access-roles.ts';
import { backedUp, type SnapshotDocument } from './support/backups.ts';
import { startClouds } from './support/clouds.ts';
import { expectStatus, until } from './support/expect.ts';
import { startApiServer } from './support/kubernetes/api-server.ts';
import { ready, resourceOf } from './support/kubernetes/resources.ts';
import { scopeOf, temporaryFolder } from './support/service.ts';
import { openSetup } from './support/setups.ts';
import { clusterBody, idIn, idle, newProject } from './support/stage.ts';

const [COMMON_KEY, OWN_KEY] = ['the key of the storehouse', 'the key of the export bucket'];
const scope = scopeOf({ after });

/** Starts a service with a storage for all clusters, and one for an export bucket of its first project. */
async function opened() {
  const clouds = await startClouds();
  scope.after(() => clouds.stop());
  const api = await startApiServer(scope);
  const file = join(await temporaryFolder(scope), 'backups.json');
  const keys = (key: string) => ({ AWS_ACCESS_KEY_ID: 'pilot', AWS_SECRET_ACCESS_KEY: key });
  const common = { type: 's3', s3: { bucket: 'logbooks' }, credentials: keys(COMMON_KEY) };
  await writeFile(file, JSON.stringify(common));
  const { settings, environment } = clouds.options;
  const setup = await openSetup(scope, 'SQLite, one instance', {
    ...(environment && { environment }),
    settings: { ...settings, engine: 'kubernetes', kubeconfig: api.kubeconfig, 'kubernetes-backups': file },
  });
  for (const secret of [api.token, COMMON_KEY, OWN_KEY]) setup.keepOutOfLogs(secret);
  const project = await newProject(setup);
  const s3 = { bucket: clouds.s3Bucket, region: 'eu-west-1' };
  const own = { projectId: idIn(project), type: 's3', s3, credentials: keys(OWN_KEY) };
  await setup.stop();
  await writeFile(file, JSON.stringify({ ...common, exportBuckets: [own] }));
  await setup.start();
  return { clouds, api, setup, project };
}

test('snapshots are stored in the export bucket of a project if the settings have a storage for it', async () => {
  const { clouds, api, setup, project } = await opened();
  const { owner } = setup;

  async function newCluster(name: string, change: object = {}): Promise<string> {
    expectStatus(await owner.post(`${project}/clusters`, clusterBody(name, { ...backedUp, ...change })), 201);
    ready(api, await resourceOf(api, name));
    await idle(owner, `${project}/clusters/${name}`);
    return `${project}/clusters/${name}`;
  }

  /** Requests a snapshot, and returns the name of its storage. */
  async function storageOf(cluster: string): Promise<unknown> {
    const path = `${cluster}/backup/snapshots`;
    const { id } = expectStatus<SnapshotDocument>(await owner.post(path, { retentionInDays: 2 }), 200);
    const object = await until(
      'the resource of the snapshot',
      async () => api.backups().find(({ metadata }) => metadata.name.endsWith(id)),
      (found) => found !== undefined,
    );
    assert.ok(object);
    const lastWriteAt = `${new Date().toISOString().slice(0, 19)}Z`;
    const status = { state: 'ready', size: '2.00MB', destination: 's3://x', type: 'logical', lastWriteAt };
    api.setStatus(object, status);
    await until(
      'the snapshot',
      () => owner.get(`${path}/${id}`),
      (reply) => reply.json().status === 'completed',
    );
    return object.spec?.storageName;
  }

  const own = `s3-${clouds.s3Bucket}`;
  const cluster = await newCluster('fleet');
  const { backup } = (await resourceOf(api, 'fleet')).spec as {
    backup: { storages: Record<string, { main?: boolean; s3: Record<string, string> }> };
  };
  assert.deepEqual(Object.keys(backup.storages), ['portolan', own]);
  assert.equal(backup.storages.portolan?.main, true);
  assert.partialDeepStrictEqual(backup.storages[own]?.s3, {
    ...{ bucket: clouds.s3Bucket, region: 'eu-west-1' },
    credentialsSecret: `portolan-backup-storage-${own}`,
  });
  assert.equal(await storageOf(cluster), 'portolan', 'the project has no export bucket yet');
  const bucketId = await newS3Bucket(setup, clouds, project);
  assert.equal(await storageOf(cluster), own);
  const continuous = await newCluster('convoy', { pitEnabled: true });
  assert.equal(await storageOf(continuous), 'portolan', 'the oplog is archived there');
  expectStatus(await owner.delete(`${project}/backup/exportBuckets/${bucketId}`), 204);
  assert.equal(await storageOf(cluster), 'portolan');
  assert.ok(own in backup.storages);
});
