import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest } from './support/client.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { type Setup, timed } from './support/setups.ts';
import { idle, newCluster, newProject } from './support/stage.ts';

type Document = Record<string, unknown>;

const AWS = { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' };
const settings = (change: object = {}) => ({ providerSettings: { ...AWS, ...change } });
const SHARDS = { accept: 'application/vnd.service.2024-08-05+json' };
const CIPHER = 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384';
const FREE = {
  providerName: 'TENANT',
  backingProviderName: 'AWS',
  instanceSizeName: 'M0',
  regionName: 'US_EAST_1',
};

timed.onOneSetup('SQLite, one instance', 'settings of clusters', (setup) => {
  scaling(setup);
  choices(setup);
  answers(setup);
  protection(setup);
});

/** Creates a cluster. Also returns a function that changes it and then waits until it is idle. */
async function open(setup: Setup, change: object = settings()) {
  const path = await newCluster(setup, await newProject(setup), 'set', change);
  const settle = async (reply: Reply): Promise<Document> => {
    const document = expectStatus(reply, 200);
    await idle(setup.owner, path);
    return document;
  };
  return {
    path,
    patch: (body: object, options = {}) => setup.owner.patch(path, body, options),
    changed: async (body: object, options = {}) => settle(await setup.owner.patch(path, body, options)),
    processArgs: async (body: object) => settle(await setup.owner.patch(`${path}/processArgs`, body)),
    shown: async (options = {}) => expectStatus(await setup.owner.get(path, options), 200),
  };
}

function scaling(setup: Setup): void {
  const on = {
    ...settings({ autoScaling: { compute: { maxInstanceSize: 'M50', minInstanceSize: 'M30' } } }),
    autoScaling: { compute: { enabled: true, predictiveEnabled: true, scaleDownEnabled: true } },
  };
  const off = { enabled: false, predictiveEnabled: false, scaleDownEnabled: false };
  const limits = (compute: object | undefined) => ({
    providerSettings: { ...AWS, autoScaling: { compute } },
    autoScaling: { compute: { enabled: false } },
  });

  for (const [how, body] of Object.entries({
    'by its switch': { autoScaling: { compute: { enabled: false } } },
    'with the sizes that it had': limits({ maxInstanceSize: 'M50', minInstanceSize: 'M30' }),
    'with sizes of null': limits({ maxInstanceSize: null, minInstanceSize: null }),
    'with empty sizes': limits({ maxInstanceSize: '', minInstanceSize: '' }),
    'with no sizes': limits({}),
  })) {
    test(`disabling compute autoscaling ${how} removes its limits and options`, async () => {
      const { changed, shown } = await open(setup, on);
      assert.deepEqual((await changed(body)).autoScaling, { compute: off, diskGBEnabled: false });
      const { providerSettings } = await shown();
      assert.equal('autoScaling' in (providerSettings as Document), false);
    });
  }

  test('new limits are rejected while compute autoscaling is disabled', async () => {
    const { patch } = await open(setup, on);
    expectFault(
      await patch(limits({ maxInstanceSize: 'M60' })),
      400,
      'COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID',
      ['M30', 'M60'],
    );
    expectFault(
      await patch({ autoScaling: { compute: { enabled: false, scaleDownEnabled: true } } }),
      400,
      'COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID',
    );
  });

  test('compute autoscaling can be disabled in the shapes with region configs', async () => {
    const { changed, shown } = await open(setup, on);
    const { replicationSpecs } = await shown(SHARDS);
    const [spec] = replicationSpecs as { regionConfigs: Document[] }[];
    const [region] = spec?.regionConfigs ?? [];
    const compute = { enabled: false, maxInstanceSize: 'M50', minInstanceSize: 'M30' };
    const { analyticsAutoScaling: _, ...config } = { ...region, autoScaling: { compute } } as Document;
    await changed({ replicationSpecs: [{ regionConfigs: [config] }] }, SHARDS);
    const { autoScaling, providerSettings } = await shown();
    assert.deepEqual(autoScaling, { compute: off, diskGBEnabled: false });
    assert.equal('autoScaling' in (providerSettings as Document), false);
  });
}

function choices(setup: Setup): void {
  test('ciphers require the mode CUSTOM and are removed with it', async () => {
    const { changed, patch, processArgs } = await open(setup);
    const custom = { customOpensslCipherConfigTls12: [CIPHER], tlsCipherConfigMode: 'CUSTOM' };
    const standard = { customOpensslCipherConfigTls12: [], tlsCipherConfigMode: 'DEFAULT' };
    const minimumEnabledTlsProtocol = 'TLS1_2';
    assert.deepEqual((await changed({ advancedConfiguration: custom })).advancedConfiguration, {
      ...custom,
      minimumEnabledTlsProtocol,
    });
    const left = await changed({ advancedConfiguration: { tlsCipherConfigMode: 'DEFAULT' } });
    assert.deepEqual(left.advancedConfiguration, { ...standard, minimumEnabledTlsProtocol });
    assert.equal((await processArgs({ noTableScan: true })).noTableScan, true);
    expectFault(
      await patch({ advancedConfiguration: { customOpensslCipherConfigTls12: [CIPHER] } }),
      400,
      'INVALID_ATTRIBUTE',
      ['customOpensslCipherConfigTls12'],
    );
    assert.deepEqual((await processArgs(custom)).customOpensslCipherConfigTls12, [CIPHER]);
    const back = await processArgs({ tlsCipherConfigMode: 'DEFAULT' });
    assert.deepEqual(back.customOpensslCipherConfigTls12, []);
  });

  test('with the release system CONTINUOUS, updates cannot set a version', async () => {
    const { changed, patch, shown } = await open(setup);
    const refused = async (body: object) =>
      expectFault(await patch(body), 400, 'INVALID_DB_VERSION_CONFIG', [
        'dbMajorVersion must be omitted with the release system CONTINUOUS',
      ]);
    await refused({ versionReleaseSystem: 'CONTINUOUS', dbMajorVersion: '8.0' });
    await changed({ versionReleaseSystem: 'CONTINUOUS' });
    await refused({ dbMajorVersion: '7.0' });
    const { versionReleaseSystem, dbMajorVersion } = await shown();
    await changed({ versionReleaseSystem, dbMajorVersion, tags: [{ key: 'a', value: 'b' }] });
  });

  test('a replica set may set PLATFORM_MANAGED config servers', async () => {
    const change = { ...settings(), configServerManagementMode: 'PLATFORM_MANAGED' };
    const { changed, shown } = await open(setup, change);
    assert.equal('configServerManagementMode' in (await shown()), false);
    await changed({ configServerManagementMode: 'PLATFORM_MANAGED' });
  });
}

function answers(setup: Setup): void {
  test('omitted fields are returned with their defaults', async () => {
    const compute = { enabled: false, predictiveEnabled: false, scaleDownEnabled: false };
    const { shown } = await open(setup, { ...settings(), autoScaling: { diskGBEnabled: true } });
    assert.deepEqual((await shown()).autoScaling, { compute, diskGBEnabled: true });
    const [spec] = (await shown(SHARDS)).replicationSpecs as { regionConfigs: Document[] }[];
    assert.deepEqual(spec?.regionConfigs[0]?.autoScaling, { compute, diskGB: { enabled: true } });
  });

  test('responses contain the date on which data risks were accepted', async () => {
    const { changed, shown } = await open(setup);
    const acceptDataRisksAndForceReplicaSetReconfig = '2026-11-22T08:00:00Z';
    await changed({ acceptDataRisksAndForceReplicaSetReconfig });
    for (const options of [{}, SHARDS]) {
      const document = await shown(options);
      assert.equal(
        document.acceptDataRisksAndForceReplicaSetReconfig,
        acceptDataRisksAndForceReplicaSetReconfig,
      );
    }
  });

  test('access of support staff ends on its expiry date', async () => {
    const { path, shown } = await open(setup);
    const clock = expectStatus<{ now: string }>(await setup.operator.get('/operator/v1/clock'), 200);
    const expirationTime = new Date(Date.parse(clock.now) + 3_600_000).toISOString();
    const grant = { grantType: 'CLUSTER_DATABASE_LOGS', expirationTime };
    expectStatus(await setup.owner.post(`${path}:grantDbEmployeeAccess`, grant), 204);
    assert.ok('dbEmployeeAccessGrant' in (await shown()));
    expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 3_601 }), 200);
    await until(
      'the end of the access',
      () => shown(),
      (document) => !('dbEmployeeAccessGrant' in document),
    );
  });

  test('a shared-tier cluster returns no settings of dedicated clusters', async () => {
    const advancedConfiguration = { minimumEnabledTlsProtocol: 'TLS1_2' };
    const { shown, patch } = await open(setup, { providerSettings: FREE, advancedConfiguration });
    assert.equal('advancedConfiguration' in (await shown()), false);
    const stricter = { advancedConfiguration: { minimumEnabledTlsProtocol: 'TLS1_1' } };
    expectFault(await patch(stricter), 400, 'TENANT_CLUSTER_UPDATE_UNSUPPORTED');
  });
}

function protection(setup: Setup): void {
  test('callers who cannot delete a cluster cannot change its protection', async () => {
    const project = await newProject(setup);
    const body = { desc: 'manager', roles: ['GROUP_CLUSTER_MANAGER'] };
    const pair = expectStatus<{ publicKey: string; privateKey: string }>(
      await setup.owner.post(`${project}/apiKeys`, body),
      200,
    );
    setup.keepOutOfLogs(pair.privateKey);
    const manager = setup.clientWith(digest(pair));
    const path = await newCluster(setup, project, 'kept', { providerSettings: FREE });
    const flex = `${project}/flexClusters/bent`;
    const providerSettings = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
    expectStatus(await setup.owner.post(`${project}/flexClusters`, { name: 'bent', providerSettings }), 201);
    await idle(setup.owner, flex);
    for (const at of [path, flex]) {
      const patch = { terminationProtectionEnabled: true, tags: [{ key: 'a', value: 'b' }] };
      expectFault(await manager.patch(at, patch), 401, 'USER_UNAUTHORIZED');
      assert.deepEqual(expectStatus(await setup.owner.get(at), 200).tags, []);
      expectStatus(await setup.owner.patch(at, patch), 200);
      await idle(setup.owner, at);
      expectStatus(await manager.patch(at, { ...patch, tags: [] }), 200);
      await idle(setup.owner, at);
    }
    const upgrade = { name: 'kept', ...settings() };
    const unprotected = { ...upgrade, terminationProtectionEnabled: false };
    const tenantUpgrade = `${project}/clusters/tenantUpgrade`;
    expectFault(await manager.post(tenantUpgrade, unprotected), 401, 'USER_UNAUTHORIZED');
    const upgraded = expectStatus(await manager.post(tenantUpgrade, upgrade), 200);
    assert.equal(upgraded.terminationProtectionEnabled, true);
  });

  test('the protection of a serverless instance can be removed', async () => {
    const all = `${await newProject(setup)}/serverless`;
    const body = {
      name: 'cloud',
      providerSettings: { backingProviderName: 'AWS', regionName: 'US_EAST_1' },
      terminationProtectionEnabled: true,
    };
    expectStatus(await setup.owner.post(all, body), 201);
    const path = `${all}/cloud`;
    await idle(setup.owner, path);
    const code = 'CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED';
    assert.equal((await setup.owner.delete(path)).json().errorCode, code);
    const change = {
      terminationProtectionEnabled: false,
      tags: [{ key: 'a', value: 'b' }],
      serverlessBackupOptions: { serverlessContinuousBackupEnabled: false },
    };
    const changed = expectStatus(await setup.owner.patch(path, change), 200);
    const { terminationProtectionEnabled, tags, serverlessBackupOptions } = changed;
    assert.deepEqual({ terminationProtectionEnabled, tags, serverlessBackupOptions }, change);
    expectStatus(await setup.owner.delete(path), 202);
  });
}
