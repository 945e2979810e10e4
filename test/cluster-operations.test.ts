import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import { clusterBody, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const accepting = (date: string) => `application/vnd.service.${date}+json`;

async function open(setup: Setup, name: string, change: object = {}) {
  const project = await newProject(setup);
  const cluster = await newCluster(setup, project, name, change);
  await allowAccess(setup, project, cluster);
  return { project, cluster };
}

onOneSetup('SQLite, one instance', 'operations on clusters', (setup) => {
  processArguments(setup);
  upkeep(setup);
  choices(setup);
  shardedClusters(setup);
});

function processArguments(setup: Setup): void {
  test('process arguments are null until set, and take effect', async (t) => {
    const { cluster } = await open(setup, 'tuned');
    const before = expectStatus(await setup.owner.get(`${cluster}/processArgs`), 200);
    assert.deepEqual(
      [before.noTableScan, before.javascriptEnabled, before.defaultMaxTimeMS, before.tlsCipherConfigMode],
      [false, true, null, 'DEFAULT'],
    );
    const change = { noTableScan: true, transactionLifetimeLimitSeconds: 30 };
    const after = expectStatus(await setup.owner.patch(`${cluster}/processArgs`, change), 200);
    assert.deepEqual([after.noTableScan, after.transactionLifetimeLimitSeconds], [true, 30]);
    await idle(setup.owner, cluster);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    const ports = driver.db('harbour').collection('ports');
    await ports.insertOne({ name: 'Riga' });
    await assert.rejects(ports.find({ name: 'Riga' }).toArray(), { code: 291 });
    expectStatus(await setup.owner.patch(`${cluster}/processArgs`, { noTableScan: false }), 200);
    await idle(setup.owner, cluster);
    assert.equal(await ports.countDocuments({ name: 'Riga' }), 1);
  });

  test('rejects process arguments that the cluster does not support', async () => {
    const project = await newProject(setup);
    const old = await newCluster(setup, project, 'old', { dbMajorVersion: '7.0' });
    const patch = (body: object) => setup.owner.patch(`${old}/processArgs`, body);
    expectFault(await patch({ oplogSizeMB: 500 }), 400, 'OPLOG_SIZE_MB_LESS_THAN_990');
    expectFault(await patch({ oplogSizeMB: 0 }), 400, 'OPLOG_SIZE_MB_LESS_THAN_EQUAL_ZERO');
    expectFault(await patch({ oplogSizeMB: 99_000 }), 400, 'OPLOG_SIZE_MB_TOO_BIG', [10]);
    expectFault(
      await patch({ oplogMinRetentionHours: 5 }),
      400,
      'OPLOG_MIN_RETENTION_HOURS_NO_DISK_AUTO_SCALING',
    );
    // The value 0 requires no minimum, so that the cluster needs no autoscaling.
    expectStatus(await patch({ oplogMinRetentionHours: 0 }), 200);
    await idle(setup.owner, old);
    for (const [name, value] of [
      ['defaultMaxTimeMS', 100],
      ['chunkMigrationConcurrency', 2],
      ['defaultWriteConcern', 'most'],
      ['queryStatsLogVerbosity', 2],
      ['changeStreamOptionsPreAndPostImagesExpireAfterSeconds', 0],
      ['oplogMinRetentionHours', -1],
      ['customOpensslCipherConfigTls12', ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256']],
    ] as const) {
      expectFault(await patch({ [name]: value }), 400, 'INVALID_ATTRIBUTE', [name]);
    }
    const free = {
      providerName: 'TENANT',
      backingProviderName: 'AWS',
      instanceSizeName: 'M0',
      regionName: 'US_EAST_1',
    };
    const tenant = await newCluster(setup, project, 'free', { providerSettings: free });
    expectFault(
      await setup.owner.get(`${tenant}/processArgs`),
      400,
      'TENANT_CLUSTER_PROCESS_ARGS_NOT_SUPPORTED',
    );
    expectFault(
      await setup.owner.post(`${tenant}/restartPrimaries`, undefined),
      400,
      'TENANT_CLUSTER_TEST_FAILOVER_NOT_SUPPORTED',
    );
  });

  test('the cluster and its process arguments have the same TLS protocol version', async () => {
    const { cluster } = await open(setup, 'secure');
    const body = { advancedConfiguration: { minimumEnabledTlsProtocol: 'TLS1_1' } };
    expectStatus(await setup.owner.patch(cluster, body), 200);
    await idle(setup.owner, cluster);
    const args = expectStatus(await setup.owner.get(`${cluster}/processArgs`), 200);
    assert.equal(args.minimumEnabledTlsProtocol, 'TLS1_1');
    expectStatus(
      await setup.owner.patch(`${cluster}/processArgs`, { minimumEnabledTlsProtocol: 'TLS1_2' }),
      200,
    );
    const shown = expectStatus(await setup.owner.get(cluster), 200);
    assert.deepEqual(shown.advancedConfiguration, {
      customOpensslCipherConfigTls12: [],
      minimumEnabledTlsProtocol: 'TLS1_2',
      tlsCipherConfigMode: 'DEFAULT',
    });
  });
}

function upkeep(setup: Setup): void {
  test('a test failover moves the primary while a driver keeps writing', async (t) => {
    const { cluster } = await open(setup, 'failing');
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const ports = driver.db('harbour').collection<{ _id: number }>('ports');
    const primary = async () => (await driver.db('admin').command({ hello: 1 })).primary;
    const before = await primary();
    let writing = true;
    const writer = (async () => {
      let _id = 0;
      for (; writing; _id++) await ports.insertOne({ _id });
      return _id;
    })();
    assert.deepEqual(expectStatus(await setup.owner.post(`${cluster}/restartPrimaries`, undefined), 200), {});
    await idle(setup.owner, cluster);
    writing = false;
    const written = await writer;
    assert.equal(await ports.countDocuments(), written);
    assert.notEqual(await primary(), before);
  });

  test('the feature compatibility version is pinned and unpinned', async () => {
    const { cluster } = await open(setup, 'pinned', { dbMajorVersion: '6.0' });
    const pin = `${cluster}:pinFeatureCompatibilityVersion`;
    const until = (expirationDate: string) => setup.owner.post(pin, { expirationDate });
    expectFault(await until('2020-01-01T00:00:00Z'), 400, 'EXPIRATION_DATE_IN_PAST');
    expectFault(await until('2099-01-01T00:00:00Z'), 400, 'EXPIRATION_DATE_EXCEEDS_MAX', [28]);
    expectStatus(await setup.owner.post(pin, {}), 204);
    await idle(setup.owner, cluster);
    const upgraded = expectStatus(await setup.owner.patch(cluster, { dbMajorVersion: '7.0' }), 200);
    assert.deepEqual([upgraded.dbMajorVersion, upgraded.featureCompatibilityVersion], ['7.0', '6.0']);
    assert.match(String(upgraded.featureCompatibilityVersionExpirationDate), /Z$/);
    await idle(setup.owner, cluster);
    expectFault(
      await setup.owner.patch(cluster, { dbMajorVersion: '8.0' }),
      400,
      'INVALID_DB_VERSION_CONFIG',
      ['the feature compatibility version is pinned to 6.0'],
    );
    expectStatus(await setup.owner.patch(cluster, { dbMajorVersion: '6.0' }), 200);
    await idle(setup.owner, cluster);
    expectStatus(await setup.owner.post(`${cluster}:unpinFeatureCompatibilityVersion`, undefined), 204);
    const { document } = { document: await idle(setup.owner, cluster) };
    assert.ok(!('featureCompatibilityVersionExpirationDate' in document));
    expectFault(await setup.owner.patch(cluster, { dbMajorVersion: '5.0' }), 400, 'CLUSTER_UPGRADE_INVALID', [
      '6.0',
      '5.0',
    ]);
    expectFault(
      await setup.owner.patch(cluster, { dbMajorVersion: '8.0' }),
      400,
      'INVALID_DB_VERSION_CONFIG',
      ['version 6.0 must be upgraded to 7.0 first'],
    );
  });

  test('staff access is granted until a date, and revoked', async () => {
    const { cluster } = await open(setup, 'watched');
    const grant = { grantType: 'CLUSTER_DATABASE_LOGS', expirationTime: '2099-01-01T00:00:00Z' };
    expectStatus(await setup.owner.post(`${cluster}:grantDbEmployeeAccess`, grant), 204);
    assert.deepEqual(expectStatus(await setup.owner.get(cluster), 200).dbEmployeeAccessGrant, grant);
    expectStatus(await setup.owner.post(`${cluster}:revokeDbEmployeeAccess`, undefined), 204);
    assert.equal(expectStatus(await setup.owner.get(cluster), 200).dbEmployeeAccessGrant, undefined);
    for (const grantType of ['CLUSTER_INFRASTRUCTURE', 'CLUSTER_INFRASTRUCTURE_AND_APP_SERVICES_SYNC_DATA']) {
      const other = { ...grant, grantType };
      expectStatus(await setup.owner.post(`${cluster}:grantDbEmployeeAccess`, other), 204);
      assert.deepEqual(expectStatus(await setup.owner.get(cluster), 200).dbEmployeeAccessGrant, other);
    }
    expectFault(
      await setup.owner.post(`${cluster}:grantDbEmployeeAccess`, { ...grant, grantType: 'EVERYTHING' }),
      400,
      'INVALID_ENUM_VALUE',
      ['EVERYTHING'],
    );
    const past = { ...grant, expirationTime: '2020-01-01T00:00:00Z' };
    expectFault(
      await setup.owner.post(`${cluster}:grantDbEmployeeAccess`, past),
      400,
      'EXPIRATION_DATE_IN_PAST',
    );
  });
}

function choices(setup: Setup): void {
  test('available regions, sizes and versions are listed', async () => {
    const project = await newProject(setup);
    const all = expectStatus<ListDocument>(
      await setup.owner.get(`${project}/clusters/provider/regions`),
      200,
    );
    assert.deepEqual(
      all.results.map(({ provider }) => provider),
      ['AWS', 'AZURE', 'GCP'],
    );
    const query = 'providers=AWS&tier=M10';
    const one = expectStatus<ListDocument>(
      await setup.owner.get(`${project}/clusters/provider/regions?${query}`),
      200,
    );
    const sizes = one.results[0]?.instanceSizes as {
      name: string;
      availableRegions: { name: string; default: boolean }[];
    }[];
    assert.deepEqual([one.totalCount, sizes.map(({ name }) => name)], [1, ['M10']]);
    assert.deepEqual(
      sizes[0]?.availableRegions.filter((region) => region.default),
      [{ default: true, name: 'US_EAST_1' }],
    );
    const unknown = await setup.owner.get(`${project}/clusters/provider/regions?providers=AWS&providers=X`);
    expectFault(unknown, 400, 'INVALID_QUERY_PARAMETER', ['providers']);
    const noSize = await setup.owner.get(`${project}/clusters/provider/regions?tier=M9`);
    expectFault(noSize, 400, 'INVALID_QUERY_PARAMETER', ['tier']);
    const ofNoSize = await setup.owner.get(`${project}/dbVersions?instanceSize=M9`);
    expectFault(ofNoSize, 400, 'INVALID_QUERY_PARAMETER', ['instanceSize']);
    const several = expectStatus<ListDocument>(
      await setup.owner.get(`${project}/clusters/provider/regions?providers=AWS&providers=GCP`),
      200,
    );
    const spanning = several.results.map(({ instanceSizes }) =>
      (instanceSizes as { name: string }[]).map(({ name }) => name),
    );
    assert.equal(spanning.length, 2);
    for (const names of spanning) {
      assert.ok(names.includes('M30') && !names.includes('M0') && !names.includes('M40_NVME'), String(names));
    }
    const versions = `${project}/dbVersions?cloudProvider=AWS&instanceSize=M10`;
    const offered = expectStatus<ListDocument>(await setup.owner.get(versions), 200);
    assert.deepEqual(
      offered.results.map(({ version }) => version),
      ['5.0', '6.0', '7.0', '8.0'],
    );
    const standard = expectStatus<ListDocument>(
      await setup.owner.get(`${versions}&defaultStatus=DEFAULT`),
      200,
    );
    assert.deepEqual(
      standard.results.map(({ version, defaultStatus }) => [version, defaultStatus]),
      [['8.0', 'DEFAULT']],
    );
  });
}

function shardedClusters(setup: Setup): void {
  test('a replica set becomes sharded and grows, with its data; drivers find routers', async (t) => {
    const { cluster } = await open(setup, 'growing');
    const before = await driverFor(setup, cluster);
    await before.db('harbour').collection('ports').insertOne({ name: 'Riga' });
    await before.close();
    expectFault(
      await setup.owner.patch(cluster, { clusterType: 'SHARDED', replicationSpecs: shards(2) }),
      400,
      'INVALID_CLUSTER_CONFIGURATION',
      ['a replica set can become a sharded cluster only with one shard'],
    );
    expectStatus(await setup.owner.patch(cluster, { clusterType: 'SHARDED' }), 200);
    await idle(setup.owner, cluster);
    expectStatus(
      await setup.owner.patch(cluster, {
        clusterType: 'SHARDED',
        diskSizeGB: 10,
        replicationSpecs: shards(2),
      }),
      200,
    );
    const document = expectStatus(await setup.owner.get(cluster), 200);
    assert.deepEqual([document.numShards, document.configServerType], [2, 'DEDICATED']);
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    assert.equal((await driver.db('admin').command({ hello: 1 })).msg, 'isdbgrid');
    assert.equal((await driver.db('harbour').collection('ports').findOne({}))?.name, 'Riga');
    expectFault(
      await setup.owner.patch(cluster, { clusterType: 'REPLICASET' }),
      400,
      'SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET',
    );
    expectFault(
      await setup.owner.patch(cluster, { clusterType: 'GEOSHARDED' }),
      400,
      'CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE',
    );
  });

  test('a global cluster has its zones', async () => {
    const project = await newProject(setup);
    const zone = (zoneName: string, region: string) => ({
      numShards: 1,
      zoneName,
      regionsConfig: nodes(region),
    });
    const body = clusterBody('global', {
      clusterType: 'GEOSHARDED',
      diskSizeGB: 40,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
      replicationSpecs: [zone('Americas', 'US_EAST_1'), zone('Europe', 'EU_WEST_1')],
    });
    expectStatus(await setup.owner.post(`${project}/clusters`, body), 201);
    const made = await idle(setup.owner, `${project}/clusters/global`);
    assert.equal(made.replicationSpecs.length, 2);
    assert.equal(made.connectionStrings.standard?.split(',').length, 6);
    const small = {
      ...body,
      name: 'small',
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10' },
    };
    expectFault(await setup.owner.post(`${project}/clusters`, small), 400, 'SHARDING_NOT_SUPPORTED', [
      'M10',
      'GEOSHARDED',
    ]);
  });

  test('the older shape of process arguments has two more fields', async () => {
    const { cluster } = await open(setup, 'older');
    const legacy = expectStatus(
      await setup.owner.get(`${cluster}/processArgs`, { accept: accepting('2023-01-01') }),
      200,
    );
    assert.deepEqual([legacy.defaultReadConcern, legacy.failIndexKeyTooLong], [null, null]);
    const current = expectStatus(
      await setup.owner.get(`${cluster}/processArgs`, { accept: accepting('2024-08-05') }),
      200,
    );
    assert.ok(!('failIndexKeyTooLong' in current));
  });
}

const nodes = (region: string) => ({
  [region]: { analyticsNodes: 0, electableNodes: 3, priority: 7, readOnlyNodes: 0 },
});

function shards(numShards: number) {
  return [{ numShards, zoneName: 'Zone 1', regionsConfig: nodes('US_EAST_1') }];
}
