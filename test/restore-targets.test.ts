import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backedUp, backupsOf, holdRestores, into } from './support/backups.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { documentsOf } from './support/generated/run.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, idle, newCluster, newProject, nodes } from './support/stage.ts';

const V1 = '/api/service/v1.0';
const CLUSTER = '/groups/{groupId}/clusters/{clusterName}';
const INDEX = { collectionName: 'ports', database: 'harbour' };
const definition = { mappings: { dynamic: true } };
const specs = [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2 }];
const REJECTED = 'CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE';

/**
 * Operations that a restore to their cluster rejects, each with a body. If no error code is listed, the code is
 * `REJECTED`.
 */
const rejected: Readonly<Record<string, readonly [body: unknown, code?: string]>> = {
  updateCluster: [{ diskSizeGB: 20 }],
  updateClusterAdvancedConfiguration: [{ javascriptEnabled: false }],
  pinFeatureCompatibilityVersion: [{}],
  unpinFeatureCompatibilityVersion: [undefined],
  testFailover: [undefined, 'CLUSTER_RESTART_IN_PROGRESS'],
  forceElection: [undefined, 'ELECTION_NOT_POSSIBLE'],
  stopOrStartInstance: [{ hostnameAndPort: '127.0.0.1:1', running: false }],
  startOutageSimulation: [
    { outageFilters: [{ cloudProvider: 'AWS', regionName: 'US_EAST_1', type: 'REGION' }] },
  ],
  createRollingIndex: [{ collection: 'ports', db: 'harbour', keys: [{ name: '1' }] }],
  createPlatformSearchIndex: [{ ...INDEX, name: 'other', definition }],
  updatePlatformSearchIndex: [{ definition }],
  updatePlatformSearchIndexByName: [{ definition }],
  deletePlatformSearchIndex: [undefined],
  deletePlatformSearchIndexByName: [undefined],
  createPlatformSearchIndexDeprecated: [{ ...INDEX, name: 'other', ...definition }],
  updatePlatformSearchIndexDeprecated: [{ ...INDEX, name: 'words', ...definition }],
  deletePlatformSearchIndexDeprecated: [undefined],
  updatePlatformSearchAnalyzers: [[]],
  createPlatformSearchDeployment: [{ specs }],
  updatePlatformSearchDeployment: [{ specs }],
  deletePlatformSearchDeployment: [undefined],
  createBackupRestoreJob: [undefined, 'PLATFORM_CLUSTER_RESTORE_IN_PROGRESS'],
};

/** Operations that do not disturb a restore. */
const admitted = [
  // The removal of the cluster ends the restore.
  'deleteCluster',
  // A simulated outage that was started before the restore can end.
  'endOutageSimulation',
  // Backups of the cluster can be read and scheduled. A snapshot has the data from before or after the restore.
  'cancelBackupRestoreJob',
  'createBackupExportJob',
  'deleteAllBackupSchedules',
  'deleteReplicaSetBackup',
  'deleteShardedClusterBackup',
  'takeSnapshot',
  'updateBackupSchedule',
  'updateSnapshotRetention',
  // To a restore, an archive that moves documents is like a program that deletes documents.
  'createOnlineArchive',
  'deleteOnlineArchive',
  'updateOnlineArchive',
  // The grant is only stored, and has no effect on the cluster.
  'grantDbEmployeeAccess',
  'revokeDbEmployeeAccess',
  // Like the commands of drivers, these commands wait for the members.
  'runDatabaseCommand',
];

const NAMESPACE = { db: 'harbour', collection: 'ports', customShardKey: 'name' };

/** Operations of global clusters that a restore to their cluster rejects, each with a body. */
const rejectedByGlobal: Readonly<Record<string, unknown>> = {
  createCustomZoneMapping: { customZoneMappings: [{ location: 'DE', zone: 'Europe' }] },
  createManagedNamespace: { ...NAMESPACE, collection: 'ships' },
  deleteAllCustomZoneMappings: undefined,
  deleteManagedNamespace: undefined,
};

onOneSetup('SQLite, one instance', 'targets of restores', (setup) => {
  const { fleet, taken } = backupsOf(setup);

  test('each operation on a cluster is rejected during a restore to it, or does not disturb it', async (t) => {
    const { project, cluster, ports } = await fleet(t);
    await ports.insertOne({ _id: 1, name: 'Riga' });
    const snapshot = await taken(cluster);
    const made = await setup.owner.post(`${cluster}/search/indexes`, { ...INDEX, name: 'words', definition });
    const { indexID: indexId } = expectStatus(made, 201);
    const names = {
      ...{ groupId: idIn(project), clusterName: 'fleet', indexId },
      ...{ databaseName: 'harbour', collectionName: 'ports', indexName: 'words' },
    } as Readonly<Record<string, string>>;
    const pinned = await setup.owner.post(`${cluster}:pinFeatureCompatibilityVersion`, {});
    assert.ok(pinned.status < 300, pinned.text);
    await idle(setup.owner, cluster);
    const release = await holdRestores(setup, t, project);
    const jobs = `${cluster}/backup/restoreJobs`;
    const restore = { deliveryType: 'automated', ...into(project, 'fleet', snapshot.id) };
    const { id } = expectStatus(await setup.owner.post(jobs, restore), 200);

    const { newest } = await documentsOf(setup);
    const changing = newest.operations.filter(
      ({ method, template }) => method.toUpperCase() !== 'GET' && template.includes(CLUSTER),
    );
    const found = changing.map(({ operation }) => operation.operationId);
    const expected = [...Object.keys(rejected), ...admitted, ...Object.keys(rejectedByGlobal)];
    assert.deepEqual([...new Set(found)].sort(), expected.sort());
    for (const { operation, method, template } of changing) {
      const [body, code = REJECTED] = rejected[operation.operationId] ?? [];
      if (!(operation.operationId in rejected)) continue;
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
      const isOperators = path.startsWith('/operator/');
      const reply = await (isOperators ? setup.operator : setup.owner).send(
        method.toUpperCase(),
        path,
        operation.operationId === 'createBackupRestoreJob' ? restore : body,
      );
      assert.equal(reply.headers.get('x-error-code'), code, `${operation.operationId}: ${reply.text}`);
    }
    const loading = await setup.owner.post(`${project}/sampleDatasetLoad/fleet`, undefined);
    expectFault(loading, 400, REJECTED, ['fleet']);
    const migration = {
      destination: { clusterName: 'fleet', groupId: idIn(project), hostnameSchemaType: 'PUBLIC' },
      source: { clusterName: 'old', groupId: idIn(project), managedAuthentication: true, ssl: false },
    };
    const migrating = await setup.owner.post(`${project}/liveMigrations`, migration);
    expectFault(migrating, 409, 'CLUSTER_UPDATE_IN_PROGRESS', ['fleet', 'UPDATING']);
    // The same operations are also rejected on the paths of v1.0 and of the vendor's form.
    expectFault(await setup.owner.patch(`${V1}${cluster}`, { paused: true }), 400, REJECTED, ['fleet']);
    const accept = 'application/vnd.atlas.2025-03-12+json';
    const vendors = `/api/atlas/v2${cluster}/search/deployment`;
    const asked = await setup.owner.send('POST', vendors, { specs }, { accept });
    assert.deepEqual([asked.status, asked.json().errorCode], [400, REJECTED]);

    await release();
    await until(
      'the end of the restore',
      () => setup.owner.get(`${jobs}/${id}`),
      (answer) => answer.json().finishedAt !== undefined,
    );
    await idle(setup.owner, cluster);
    expectStatus(await setup.owner.patch(cluster, { tags: [{ key: 'restored', value: 'yes' }] }), 200);
  });

  test('each operation on a global cluster is rejected during a restore to it', async (t) => {
    const { owner } = setup;
    const project = await newProject(setup);
    const globe = {
      ...backedUp,
      ...{ clusterType: 'GEOSHARDED', diskSizeGB: 40 },
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
      replicationSpecs: [{ numShards: 1, regionsConfig: { EU_WEST_1: nodes(3, 7) }, zoneName: 'Europe' }],
    };
    const cluster = await newCluster(setup, project, 'globe', globe);
    const path = `${cluster}/globalWrites`;
    expectStatus(await owner.post(`${path}/managedNamespaces`, NAMESPACE), 200);
    const snapshot = await taken(cluster, '/shardedCluster');
    await holdRestores(setup, t, project);
    const restore = { deliveryType: 'automated', ...into(project, 'globe', snapshot.id) };
    expectStatus(await owner.post(`${cluster}/backup/restoreJobs`, restore), 200);
    const before = expectStatus(await owner.get(path), 200);

    const { newest } = await documentsOf(setup);
    for (const { operation, method, template } of newest.operations) {
      const { operationId: name } = operation;
      if (!(name in rejectedByGlobal)) continue;
      const at = template.replace(CLUSTER, cluster);
      const { db, collection } = NAMESPACE;
      const query = name === 'deleteManagedNamespace' ? `?db=${db}&collection=${collection}` : '';
      const reply = await owner.send(method.toUpperCase(), at + query, rejectedByGlobal[name]);
      expectFault(reply, 400, REJECTED, ['globe']);
    }
    assert.deepEqual(expectStatus(await owner.get(path), 200), before);
  });
});
