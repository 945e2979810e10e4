import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { type Setup, timed } from './support/setups.ts';
import { clusterBody, idIn, idle, newCluster, newProject, nodes } from './support/stage.ts';

type Case = readonly [body: object, status: number, code: string, parameters: readonly unknown[]];

const AWS = { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' };
const settings = (change: object) => ({ providerSettings: { ...AWS, ...change } });
const FREE = {
  providerName: 'TENANT',
  backingProviderName: 'AWS',
  instanceSizeName: 'M0',
  regionName: 'US_EAST_1',
};
const free = (change: object = {}) => ({ providerSettings: FREE, ...change });

const shape = (clusterType: string, ...replicationSpecs: object[]) => ({
  clusterType,
  diskSizeGB: 40,
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
  replicationSpecs,
});
const zone = (zoneName: string, region: string, numShards = 1) => ({
  numShards,
  zoneName,
  regionsConfig: { [region]: nodes(3, 7) },
});
const TWO_REGIONS = { US_EAST_1: nodes(2, 7), US_EAST_2: nodes(1, 6) };

const AZURE = { providerName: 'AZURE', regionName: 'US_WEST_2' };

const volumes: readonly Case[] = [
  [
    settings({ backingProviderName: 'GCP' }),
    400,
    'INVALID_ATTRIBUTE',
    ['providerSettings.backingProviderName'],
  ],
  [settings({ ...AZURE, volumeType: 'STANDARD' }), 400, 'INVALID_ATTRIBUTE', ['volumeType']],
  [settings({ ...AZURE, diskIOPS: 3000 }), 400, 'INVALID_ATTRIBUTE', ['diskIOPS']],
  [settings({ diskIOPS: 99, volumeType: 'PROVISIONED' }), 400, 'INVALID_ATTRIBUTE', ['diskIOPS']],
  [settings({ ...AZURE, diskIOPS: 500 }), 400, 'CLUSTER_DISK_IOPS_INVALID', [3000, 32, 'M30', 'STANDARD']],
  [
    { ...settings({ ...AZURE, diskTypeName: 'P10' }), diskSizeGB: 300 },
    400,
    'CLUSTER_DISK_SIZE_INVALID',
    ['300 GB requires the disk type P20, not P10'],
  ],
  [
    settings({ instanceSizeName: 'M10', diskIOPS: 4000 }),
    400,
    'CLUSTER_DISK_IOPS_INVALID',
    [3000, 10, 'M10', 'STANDARD'],
  ],
  [
    settings({ diskIOPS: 2000, volumeType: 'STANDARD' }),
    400,
    'CLUSTER_DISK_IOPS_INVALID',
    [3000, 40, 'M30', 'STANDARD'],
  ],
  [
    { ...settings({ diskIOPS: 9000, volumeType: 'PROVISIONED' }), diskSizeGB: 200 },
    400,
    'INVALID_IOPS_INVALID_RATIO',
    [30],
  ],
  [
    settings({ providerName: 'GCP', regionName: 'CENTRAL_US', diskIOPS: 3000 }),
    400,
    'INVALID_ATTRIBUTE',
    ['diskIOPS'],
  ],
  [
    settings({ providerName: 'AZURE', regionName: 'US_WEST_2', diskIOPS: 9000 }),
    400,
    'CLUSTER_DISK_IOPS_INVALID',
    [3000, 32, 'M30', 'STANDARD'],
  ],
  [
    settings({ providerName: 'AZURE', regionName: 'US_WEST_2', diskTypeName: 'P1' }),
    400,
    'INVALID_ENUM_VALUE',
    ['P1'],
  ],
  [settings({ diskTypeName: 'P10' }), 400, 'INVALID_ATTRIBUTE', ['providerSettings.diskTypeName']],
  [
    {
      ...settings({ providerName: 'AZURE', regionName: 'US_WEST', instanceSizeName: 'M40', diskIOPS: 9000 }),
      diskSizeGB: 512,
    },
    400,
    'CLUSTER_DISK_IOPS_INVALID',
    [3000, 512, 'M40', 'STANDARD'],
  ],
  [settings({ instanceSizeName: 'M40_NVME' }), 400, 'NVME_STORAGE_PROVIDER_BACKUP_REQUIRED', []],
  [
    { ...settings({ instanceSizeName: 'M40_NVME', volumeType: 'STANDARD' }), providerBackupEnabled: true },
    400,
    'CLUSTER_DISK_IOPS_INVALID',
    [3000, 380, 'M40_NVME', 'PROVISIONED'],
  ],
];

/** A placeholder for the id of the project in parameters. */
const GROUP = Symbol('the project');

const fields: readonly Case[] = [
  [{ encryptionAtRestProvider: 'AWS' }, 400, 'ENCRYPTION_AT_REST_NOT_ENABLED', [GROUP]],
  [
    { biConnector: { enabled: true, readPreference: 'ANALYTICS' } },
    400,
    'INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY',
    [],
  ],
  [{ biConnector: { enabled: true, readPreference: 'near' } }, 400, 'INVALID_ENUM_VALUE', ['near']],
  [
    { globalClusterSelfManagedSharding: true },
    400,
    'CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER',
    [],
  ],
  [
    { configServerManagementMode: 'FIXED_TO_DEDICATED' },
    400,
    'INVALID_ATTRIBUTE',
    ['configServerManagementMode'],
  ],
  [
    { pitEnabled: true, providerBackupEnabled: false },
    400,
    'INVALID_CLUSTER_CONFIGURATION',
    ['pitEnabled requires backups, which are disabled'],
  ],
  [{ pitEnabled: true }, 400, 'MISSING_ATTRIBUTE', ['providerBackupEnabled']],
  [
    { advancedConfiguration: { customOpensslCipherConfigTls12: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] } },
    400,
    'INVALID_ATTRIBUTE',
    ['customOpensslCipherConfigTls12'],
  ],
  [{ advancedConfiguration: { minimumEnabledTlsProtocol: 'TLS1_3' } }, 400, 'INVALID_ENUM_VALUE', ['TLS1_3']],
  [
    { advancedConfiguration: { customOpensslCipherConfigTls12: ['NULL'], tlsCipherConfigMode: 'CUSTOM' } },
    400,
    'INVALID_ENUM_VALUE',
    ['NULL'],
  ],
  [{ dbMajorVersion: '4.4' }, 400, 'PLATFORM_CLUSTER_VERSION_DEPRECATED', ['4.4']],
];

const topologies: readonly Case[] = [
  [
    { ...shape('SHARDED', zone('A', 'US_EAST_1', 2)), numShards: 3 },
    400,
    'INVALID_CLUSTER_CONFIGURATION',
    ['numShards must equal the number of shards in replicationSpecs'],
  ],
  [
    shape('GEOSHARDED', zone('A', 'US_EAST_1'), zone('B', 'US_EAST_1')),
    400,
    'INVALID_ATTRIBUTE',
    ['first region of a zone: AWS US_EAST_1'],
  ],
  [shape('GEOSHARDED', zone('A', 'US_EAST_1'), zone('A', 'US_WEST_1')), 400, 'DUPLICATE_ZONE_NAME', []],
  [
    shape('GEOSHARDED', ...Array.from({ length: 10 }, (_, index) => zone(`Z${index}`, 'US_EAST_1'))),
    400,
    'INVALID_ATTRIBUTE',
    ['number of zones'],
  ],
  [shape('SHARDED', { numShards: 13, regionsConfig: TWO_REGIONS }), 400, 'CLUSTER_NUM_SHARDS_INVALID', [12]],
  [
    shape('SHARDED', zone('A', 'US_EAST_1'), zone('B', 'US_WEST_1')),
    400,
    'INVALID_CLUSTER_CONFIGURATION',
    ['several zones require the type GEOSHARDED'],
  ],
];

const shared: readonly Case[] = [
  [free({ providerBackupEnabled: true }), 400, 'INVALID_TENANT_BACKUP_ENABLED', []],
  [free({ backupEnabled: true }), 400, 'INVALID_TENANT_BACKUP_ENABLED', []],
  [free({ encryptionAtRestProvider: 'AWS' }), 400, 'CANNOT_USE_ENCRYPTION_AT_REST_TENANT', []],
  [free({ dbMajorVersion: '7.0' }), 400, 'INVALID_TENANT_CONFIGURATION', ['its version cannot be changed']],
  [
    free({ replicationFactor: 5 }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['it must have three electable nodes in one region'],
  ],
  [
    free({ advancedConfiguration: { minimumEnabledTlsProtocol: 'TLS1_1' } }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['advancedConfiguration cannot be changed'],
  ],
  [
    free({ autoScaling: { diskGBEnabled: true } }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['disk autoscaling is not supported'],
  ],
  [
    free({ versionReleaseSystem: 'CONTINUOUS' }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['versionReleaseSystem cannot be changed'],
  ],
  [
    free({ replicaSetScalingStrategy: 'SEQUENTIAL' }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['replicaSetScalingStrategy cannot be changed'],
  ],
  [free({ clusterType: 'SHARDED' }), 400, 'INVALID_TENANT_CONFIGURATION', ['it must be a replica set']],
  [
    free({ biConnector: { enabled: true, readPreference: 'secondary' } }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['shared-tier clusters do not support the BI connector'],
  ],
  [
    { providerSettings: { ...FREE, diskIOPS: 3000 } },
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['its volumes cannot be configured'],
  ],
];

const scaling = (limits: object, compute: object, more: object = {}) => ({
  ...settings({ autoScaling: { compute: limits }, ...more }),
  autoScaling: { compute },
});
const CODE = 'COMPUTE_AUTO_SCALING';

const autoScaling: readonly Case[] = [
  [scaling({}, { enabled: true }), 400, `${CODE}_MAX_INSTANCE_SIZE_REQUIRED`, []],
  [
    scaling({ maxInstanceSize: 'M40' }, { enabled: true, scaleDownEnabled: true }),
    400,
    `${CODE}_MIN_INSTANCE_SIZE_REQUIRED`,
    [],
  ],
  [
    scaling({ maxInstanceSize: 'R40' }, { enabled: true }),
    400,
    `${CODE}_MAX_INSTANCE_SIZE_INVALID`,
    ['M30', 'R40'],
  ],
  [scaling({ maxInstanceSize: 'M40' }, {}), 400, `${CODE}_MAX_INSTANCE_SIZE_INVALID`, ['M30', 'M40']],
  [scaling({ minInstanceSize: 'M10' }, {}), 400, `${CODE}_MIN_INSTANCE_SIZE_INVALID`, ['M30', 'M10']],
  [
    scaling({ maxInstanceSize: 'M20' }, { enabled: true }),
    400,
    `${CODE}_INSTANCE_SIZE_RANGE_INVALID`,
    ['M10', 'M20'],
  ],
  [scaling({}, { scaleDownEnabled: true }), 400, `${CODE}_SCALE_DOWN_ENABLED_INVALID`, []],
  [scaling({}, { predictiveEnabled: true }), 400, 'INVALID_ATTRIBUTE', ['predictiveEnabled']],
  [
    {
      ...scaling({ maxInstanceSize: 'M60' }, { enabled: true }, { instanceSizeName: 'M40_NVME' }),
      providerBackupEnabled: true,
    },
    400,
    'AUTO_SCALING_NOT_SUPPORTED',
    ['clusters of the size M40_NVME cannot be scaled'],
  ],
];

timed.onOneSetup('PostgreSQL, two instances', 'rules of clusters', (setup) => {
  bodies(setup);
  relations(setup);
  courses(setup);
});

function bodies(setup: Setup): void {
  for (const [about, cases] of Object.entries({ volumes, autoScaling, fields, topologies, shared })) {
    test(`rejects invalid clusters: ${about}`, async () => {
      const project = await newProject(setup);
      for (const [change, status, code, parameters] of cases) {
        const body = { ...clusterBody('bad', settings({})), ...change };
        const named = parameters.map((parameter) => (parameter === GROUP ? idIn(project) : parameter));
        expectFault(await setup.owner.post(`${project}/clusters`, body), status, code, named);
      }
    });
  }

  test('IOPS follow the disk size, and more can be provisioned', async () => {
    const project = await newProject(setup);
    const change = { ...settings({ diskIOPS: 3000 }), diskSizeGB: 200 };
    const path = await newCluster(setup, project, 'fast', change);
    type Document = { providerSettings: Record<string, unknown>; diskSizeGB: number };
    const shown = async (body: object) => {
      const { providerSettings } = expectStatus<Document>(await setup.owner.patch(path, body), 200);
      await idle(setup.owner, path);
      return [providerSettings.diskIOPS, providerSettings.volumeType];
    };
    const named = { providerName: 'AWS' };
    assert.deepEqual(await shown({ diskSizeGB: 210 }), [3000, 'STANDARD']);
    assert.deepEqual(await shown({ providerSettings: { ...named, diskIOPS: 4000 } }), [4000, 'PROVISIONED']);
    assert.deepEqual(await shown({ diskSizeGB: 220 }), [4000, 'PROVISIONED']);
    assert.deepEqual(
      await shown({ providerSettings: { ...named, diskIOPS: 3000, volumeType: 'STANDARD' } }),
      [3000, 'STANDARD'],
    );
    const made = async (
      name: string,
      providerSettings: object,
      diskSizeGB?: number,
    ): Promise<Record<string, unknown>> => {
      const body = clusterBody(name, { ...settings(providerSettings), diskSizeGB });
      const reply = await setup.owner.post(`${project}/clusters`, body);
      const document = expectStatus<Document>(reply, 201);
      return { ...document.providerSettings, diskSizeGB: document.diskSizeGB };
    };
    const azure = { providerName: 'AZURE', regionName: 'US_WEST_2' };
    const typed = await made('named', { ...azure, diskTypeName: 'P10' });
    assert.deepEqual([typed.diskSizeGB, typed.diskTypeName], [128, 'P10']);
    const between = await made('between', { ...azure, diskTypeName: 'P6' }, 40);
    assert.deepEqual([between.diskSizeGB, between.diskTypeName], [40, 'P6']);
    const typedPath = `${project}/clusters/named`;
    await idle(setup.owner, typedPath);
    const retyped = async (body: object) => {
      const after = expectStatus<Document>(await setup.owner.patch(typedPath, body), 200);
      await idle(setup.owner, typedPath);
      return [after.diskSizeGB, after.providerSettings.diskTypeName];
    };
    const type = (diskTypeName: string, more: object = {}) => ({
      providerSettings: { providerName: 'AZURE', diskTypeName, ...more },
    });
    assert.deepEqual(await retyped(type('P15')), [256, 'P15']);
    assert.deepEqual(await retyped(type('P15', { instanceSizeName: 'M40' })), [256, 'P15']);
    assert.deepEqual(await retyped({ ...type('P15'), diskSizeGB: 300 }), [300, 'P20']);
    const fast = await made('extended', { ...azure, instanceSizeName: 'M40', diskIOPS: 9000 }, 512);
    assert.deepEqual([fast.diskIOPS, fast.volumeType], [9000, undefined]);
    const slow = await made('less', { diskIOPS: 2000, encryptEBSVolume: false });
    assert.deepEqual([slow.diskIOPS, slow.volumeType, slow.encryptEBSVolume], [3000, 'STANDARD', true]);
    assert.equal((await made('vast', { instanceSizeName: 'M60' }, 1500)).diskIOPS, 4500);
  });

  test('a global cluster keeps its sharding management, and has dedicated config servers on request', async () => {
    const project = await newProject(setup);
    const body = {
      ...shape('GEOSHARDED', zone('A', 'US_EAST_1')),
      globalClusterSelfManagedSharding: true,
      configServerManagementMode: 'FIXED_TO_DEDICATED',
    };
    const path = await newCluster(setup, project, 'global', body);
    const document = expectStatus(await setup.owner.get(path), 200);
    assert.deepEqual(
      [document.globalClusterSelfManagedSharding, document.configServerType],
      [true, 'DEDICATED'],
    );
    expectFault(
      await setup.owner.patch(path, { globalClusterSelfManagedSharding: false }),
      400,
      'CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING',
    );
  });
}

function relations(setup: Setup): void {
  test('the BI connector reads from analytics nodes if there are any', async () => {
    const project = await newProject(setup);
    const regionsConfig = { US_EAST_1: nodes(3, 7, { analyticsNodes: 1 }) };
    const body = shape('REPLICASET', { numShards: 1, regionsConfig });
    const path = await newCluster(setup, project, 'read', body);
    const { biConnector } = expectStatus(await setup.owner.get(path), 200);
    assert.deepEqual(biConnector, { enabled: false, readPreference: 'ANALYTICS' });
    const spoken = { biConnector: { enabled: true, readPreference: 'secondary' } };
    const after = expectStatus(await setup.owner.patch(path, spoken), 200);
    assert.deepEqual(after.biConnector, { enabled: true, readPreference: 'SECONDARY' });
    const inShards = { accept: 'application/vnd.service.2024-08-05+json' };
    const newer = expectStatus(await setup.owner.get(path, inShards), 200);
    assert.deepEqual(newer.biConnector, { enabled: true, readPreference: 'secondary' });
  });

  test('a project has one free cluster, of which only tags and protection can be changed', async () => {
    const project = await newProject(setup);
    const path = await newCluster(setup, project, 'free', free());
    const more = await setup.owner.post(`${project}/clusters`, clusterBody('more', free()));
    expectFault(more, 400, 'CANNOT_CREATE_FREE_CLUSTER_VIA_PUBLIC_API', [idIn(project)]);
    for (const change of [
      { diskSizeGB: 20 },
      { biConnector: { enabled: false, readPreference: 'primary' } },
      { paused: true },
      { clusterType: 'SHARDED' },
    ]) {
      expectFault(await setup.owner.patch(path, change), 400, 'TENANT_CLUSTER_UPDATE_UNSUPPORTED');
    }
    const tags = [{ key: 'stage', value: 'test' }];
    const changed = expectStatus(await setup.owner.patch(path, { tags }), 200);
    assert.deepEqual(changed.tags, tags);
    const upgrade = clusterBody('free', settings({}));
    expectStatus(await setup.owner.post(`${project}/clusters/tenantUpgrade`, upgrade), 200);
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('more', free())), 201);
  });

  test('sizes of shards differ by at most two steps, and all shards have one disk size', async () => {
    const clusters = `${await newProject(setup)}/clusters`;
    const accept = 'application/vnd.service.2024-08-05+json';
    const entry = (instanceSize: string, diskSizeGB = 40) => ({
      regionConfigs: [
        {
          providerName: 'AWS',
          regionName: 'US_EAST_1',
          priority: 7,
          electableSpecs: { instanceSize, nodeCount: 3, diskSizeGB },
        },
      ],
    });
    const send = (...replicationSpecs: object[]) =>
      setup.owner.post(clusters, { name: 'uneven', clusterType: 'SHARDED', replicationSpecs }, { accept });
    expectFault(await send(entry('M30'), entry('M60')), 400, 'INVALID_CLUSTER_CONFIGURATION', [
      'the sizes of all shards must be within three consecutive instance sizes, such as M30, M40 and M50',
    ]);
    expectFault(await send(entry('M30'), entry('M40', 50)), 400, 'DISK_SIZE_GB_INCONSISTENT');
    expectStatus(await send(entry('M30'), entry('M50')), 201);
  });

  test('for each region, the number of nodes that multi-region clusters have in other regions is limited', async () => {
    const project = await newProject(setup);
    const regionsConfig = { US_EAST_1: nodes(3, 7, { readOnlyNodes: 38 }), US_EAST_2: nodes(2, 6) };
    const body = clusterBody('wide', shape('REPLICASET', { numShards: 1, regionsConfig }));
    const code = 'CROSS_REGION_NETWORK_PERMISSIONS_LIMIT_EXCEEDED';
    expectFault(await setup.owner.post(`${project}/clusters`, body), 403, code, [40]);
    const limit = `${project}/limits/platform.project.security.networkAccess.crossRegionEntries`;
    expectStatus(await setup.owner.patch(limit, { value: 41 }), 200);
    expectStatus(await setup.owner.post(`${project}/clusters`, body), 201);
  });

  test('a cluster cannot have a version that lacks an action of a custom role', async () => {
    const project = await newProject(setup);
    const resources = [{ db: 'harbour', collection: 'ports' }];
    const role = { roleName: 'mover', actions: [{ action: 'MOVE_COLLECTION', resources }] };
    expectStatus(await setup.owner.post(`${project}/customDBRoles/roles`, role), 200);
    const old = clusterBody('old', { dbMajorVersion: '7.0' });
    expectFault(
      await setup.owner.post(`${project}/clusters`, old),
      409,
      'CLUSTER_VERSION_INCOMPATIBLE_WITH_EXISTING_CUSTOM_ROLES',
      ['7.0'],
    );
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('new')), 201);
  });
}

function courses(setup: Setup): void {
  test("rejects requests that the cluster's state forbids, with the reason", async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'plain');
    expectFault(
      await setup.owner.post(`${cluster}:unpinFeatureCompatibilityVersion`, undefined),
      409,
      'FCV_NOT_PINNED',
      ['plain'],
    );
    const samples = [
      ['sampleSizeBIConnector', 'INVALID_SAMPLE_SIZE_BI_CONNECTOR'],
      ['sampleRefreshIntervalBIConnector', 'INVALID_SAMPLE_REFRESH_INTERVAL_BI_CONNECTOR'],
    ] as const;
    for (const [name, code] of samples) {
      expectFault(await setup.owner.patch(`${cluster}/processArgs`, { [name]: -1 }), 400, code);
    }
    expectFault(
      await setup.owner.get(`${project}/serverless/plain`),
      400,
      'CANNOT_USE_CLUSTER_IN_SERVERLESS_INSTANCE_API',
      ['plain'],
    );
    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    await idle(setup.owner, cluster);
    const restart = (path: string) => setup.owner.post(`${path}/restartPrimaries`, undefined);
    expectFault(await restart(cluster), 400, 'CLUSTER_RESTART_INVALID', ['plain']);
    const tenant = await newCluster(setup, project, 'free', free());
    expectFault(
      await setup.owner.post(`${tenant}:pinFeatureCompatibilityVersion`, {}),
      400,
      'CANNOT_PIN_FCV_TENANT',
    );
    // Hold the cluster, so that the instances cannot complete it before the next requests.
    const hold = { groupId: idIn(project), work: { kinds: ['CLUSTER_CHANGE'], outcome: 'HELD' } };
    const { id: heldBy } = expectStatus(await setup.operator.post('/operator/v1/faults', hold), 201);
    t.after(() => setup.operator.delete(`/operator/v1/faults/${heldBy}`));
    const large = clusterBody('large', { clusterType: 'SHARDED', numShards: 20 });
    expectStatus(await setup.owner.post(`${project}/clusters`, large), 201);
    expectFault(await restart(`${project}/clusters/large`), 400, 'CLUSTER_RESTART_IN_PROGRESS', ['large']);
    expectFault(
      await setup.owner.patch(`${project}/clusters/large`, { diskSizeGB: 20 }),
      409,
      'CLUSTER_UPDATE_IN_PROGRESS',
      ['large', 'CREATING'],
    );
  });

  test('a pause ends automatically after thirty days', async () => {
    const path = await newCluster(setup, await newProject(setup), 'asleep');
    expectStatus(await setup.owner.patch(path, { paused: true }), 200);
    assert.equal((await idle(setup.owner, path)).paused, true);
    expectFault(
      await setup.owner.post(`${path}:pinFeatureCompatibilityVersion`, {}),
      409,
      'CANNOT_UPDATE_PAUSED_CLUSTER',
      ['asleep'],
    );
    const advance = { advanceSeconds: 30 * 24 * 3600 - 3600 };
    expectStatus(await setup.operator.patch('/operator/v1/clock', advance), 200);
    assert.equal((await idle(setup.owner, path)).paused, true);
    expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 3720 }), 200);
    await until(
      'the end of the pause',
      () => setup.owner.get(path),
      (answer) => answer.json().paused === false,
    );
    const { connectionStrings } = await idle(setup.owner, path);
    assert.ok(connectionStrings.standard);
    expectFault(
      await setup.owner.patch(path, { paused: true }),
      400,
      'CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER',
      [60],
    );
  });
}
