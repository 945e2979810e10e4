import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { clusterBody, gone, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

type Case = readonly [body: object, status: number, code: string, parameters: readonly unknown[]];

const AWS = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' };
const electable = (electableNodes: number, priority: number) => ({
  electableNodes,
  priority,
  readOnlyNodes: 0,
});
const specs = (regionsConfig: object, more = {}) => ({
  clusterType: 'REPLICASET',
  diskSizeGB: 10,
  replicationSpecs: [{ numShards: 1, regionsConfig, ...more }],
});
const settings = (change: object) => ({ providerSettings: { ...AWS, ...change } });
const tenant = (change: object) =>
  settings({ providerName: 'TENANT', backingProviderName: 'AWS', instanceSizeName: 'M0', ...change });

const longName = `x${'y'.repeat(64)}`;

const names: readonly Case[] = [
  [{ name: undefined }, 400, 'MISSING_ATTRIBUTE', ['name']],
  [{ name: '' }, 400, 'CLUSTER_NAME_INVALID', ['']],
  [{ name: '-c' }, 400, 'CLUSTER_NAME_INVALID', ['-c']],
  [{ name: 'a_b' }, 400, 'CLUSTER_NAME_INVALID', ['a_b']],
  [{ name: longName }, 400, 'CLUSTER_NAME_TOO_LONG', [longName, 64]],
  [
    { name: 'hyphen-after-twenty-tw-more' },
    400,
    'CLUSTER_NAME_PREFIX_INVALID',
    ['hyphen-after-twenty-tw-more', 23, 'hyphen-after-twenty-tw-'],
  ],
  [{ name: 'end-' }, 400, 'CLUSTER_NAME_PREFIX_INVALID', ['end-', 23, 'end-']],
  [{ name: 'platform-abc123' }, 400, 'PLATFORM_RESERVED_CLUSTER_NAME', ['platform-abc123']],
];

const hardware: readonly Case[] = [
  [{ providerSettings: undefined }, 400, 'MISSING_ATTRIBUTE', ['providerSettings']],
  [settings({ providerName: undefined }), 400, 'MISSING_ATTRIBUTE', ['providerSettings.providerName']],
  [
    settings({ instanceSizeName: undefined }),
    400,
    'MISSING_ATTRIBUTE',
    ['providerSettings.instanceSizeName'],
  ],
  [settings({ regionName: undefined }), 400, 'MISSING_ATTRIBUTE', ['providerSettings.regionName']],
  [settings({ providerName: 'OWN' }), 400, 'INVALID_ENUM_VALUE', ['OWN']],
  [settings({ providerName: 'SERVERLESS' }), 400, 'INVALID_ENUM_VALUE', ['SERVERLESS']],
  [settings({ instanceSizeName: 'M11' }), 400, 'INVALID_ENUM_VALUE', ['M11']],
  [settings({ instanceSizeName: 'M0' }), 400, 'INVALID_ENUM_VALUE', ['M0']],
  [settings({ regionName: 'ATLANTIS' }), 400, 'INVALID_REGION', ['ATLANTIS', 'AWS']],
  [
    settings({ instanceSizeName: 'M140', regionName: 'AP_SOUTHEAST_2' }),
    400,
    'NO_COMMON_INSTANCE_FAMILY',
    ['M140', 'AP_SOUTHEAST_2'],
  ],
  [settings({ diskIOPS: 'many' }), 400, 'INVALID_JSON_ATTRIBUTE', ['providerSettings.diskIOPS']],
  [
    tenant({ backingProviderName: undefined }),
    400,
    'MISSING_ATTRIBUTE',
    ['providerSettings.backingProviderName'],
  ],
  [
    { ...tenant({}), diskSizeGB: 1 },
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['its disk size cannot be changed'],
  ],
  [
    tenant({ regionName: 'US_EAST_2' }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['the region US_EAST_2 does not offer shared-tier clusters'],
  ],
  [
    tenant({ regionName: 'ATLANTIS' }),
    400,
    'INVALID_TENANT_CONFIGURATION',
    ['the region ATLANTIS does not offer shared-tier clusters'],
  ],
  [{ diskSizeGB: 10.5 }, 400, 'CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER', [10.5]],
  [{ diskSizeGB: 101 }, 400, 'CLUSTER_DISK_SIZE_INVALID', ['101 GB exceeds the maximum of 100 GB for M10']],
];

const topology: readonly Case[] = [
  [{ clusterType: 'RING' }, 400, 'INVALID_ENUM_VALUE', ['RING']],
  [{ replicationFactor: 4 }, 400, 'CLUSTER_REPLICATION_FACTOR_INVALID', []],
  [{ numShards: 2 }, 400, 'INVALID_CLUSTER_CONFIGURATION', ['a replica set must have one shard']],
  [{ numShards: 51 }, 400, 'CLUSTER_NUM_SHARDS_INVALID', [50]],
  [{ clusterType: 'SHARDED', numShards: 0 }, 400, 'CLUSTER_NUM_SHARDS_INVALID', [50]],
  [specs({ US_EAST_1: electable(3, 7) }, { numShards: 51 }), 400, 'CLUSTER_NUM_SHARDS_INVALID', [50]],
  [
    specs({ US_EAST_1: { electableNodes: 3, priority: 7 } }),
    400,
    'REPLICATION_SPECS_INVALID',
    ['readOnlyNodes of US_EAST_1 is required'],
  ],
  [
    {
      ...specs({}),
      replicationSpecs: Array(2).fill({ numShards: 1, regionsConfig: { US_EAST_1: electable(3, 7) } }),
    },
    400,
    'INVALID_CLUSTER_CONFIGURATION',
    ['several zones require the type GEOSHARDED'],
  ],
  [
    { ...specs({}), replicationSpec: { US_EAST_1: electable(3, 7) } },
    400,
    'DUAL_REPLICATION_SPEC_SPECIFIED',
    [],
  ],
  [
    { ...specs({ US_EAST_1: electable(3, 7) }), clusterType: undefined },
    400,
    'REPLICATION_SPECS_INVALID',
    ['clusterType is required'],
  ],
  [
    { ...specs({ US_EAST_1: electable(3, 7) }), diskSizeGB: undefined },
    400,
    'MISSING_ATTRIBUTE',
    ['diskSizeGB'],
  ],
  [
    specs({ US_EAST_1: electable(3, 7) }, { numShards: undefined }),
    400,
    'REPLICATION_SPECS_INVALID',
    ['numShards and regionsConfig are required'],
  ],
  [{ ...specs({}), replicationSpecs: [] }, 400, 'REPLICATION_SPECS_INVALID', ['at least one is required']],
  [
    specs({ US_EAST_1: electable(3, 7) }, { id: 'f'.repeat(24) }),
    400,
    'REPLICATION_SPECS_INVALID',
    [`the id ${'f'.repeat(24)} is unknown or appears twice`],
  ],
  [specs({ ATLANTIS: electable(3, 7) }), 400, 'INVALID_REGION', ['ATLANTIS', 'AWS']],
  [
    specs({ US_EAST_1: { ...electable(0, 0), readOnlyNodes: 3 } }),
    400,
    'INVALID_CLUSTER_CONFIGURATION',
    ['at least one region must have electable nodes'],
  ],
  [specs({ US_EAST_1: electable(2, 7) }), 400, 'INVALID_ATTRIBUTE', ['number of electable nodes']],
  [specs({ US_EAST_1: electable(9, 7) }), 400, 'CLUSTER_REPLICATION_FACTOR_INVALID', []],
  [specs({ US_EAST_1: electable(3, 6) }), 400, 'INVALID_ATTRIBUTE', ['priority']],
  [specs({ US_EAST_1: electable(2, 7), US_EAST_2: electable(1, 5) }), 400, 'INVALID_ATTRIBUTE', ['priority']],
  [specs({ US_EAST_1: electable(2, 7), US_EAST_2: electable(1, 7) }), 400, 'INVALID_ATTRIBUTE', ['priority']],
  [specs({ US_EAST_1: electable(2, 7), US_EAST_2: electable(1, 0) }), 400, 'INVALID_ATTRIBUTE', ['priority']],
  [
    specs({ US_EAST_1: electable(3, 7), US_EAST_2: { ...electable(0, 6), readOnlyNodes: 1 } }),
    400,
    'INVALID_ATTRIBUTE',
    ['priority'],
  ],
  [
    specs({ US_EAST_1: { ...electable(3, 7), readOnlyNodes: 48 } }),
    400,
    'CLUSTER_REPLICATION_FACTOR_INVALID',
    [],
  ],
  [
    specs({ US_EAST_1: electable(-1, 7) }),
    400,
    'ATTRIBUTE_NEGATIVE',
    ['replicationSpecs.0.regionsConfig.US_EAST_1.electableNodes'],
  ],
  [
    specs({ US_EAST_1: { ...electable(3, 7), arbiters: 1 } }),
    400,
    'INVALID_ATTRIBUTE',
    ['replicationSpecs.0.regionsConfig.US_EAST_1.arbiters'],
  ],
];

const versionsAndBackups: readonly Case[] = [
  [{ dbMajorVersion: '4.0' }, 400, 'DB_VERSION_INVALID', ['4.0']],
  [
    { dbMajorVersion: '8.0', versionReleaseSystem: 'CONTINUOUS' },
    400,
    'INVALID_DB_VERSION_CONFIG',
    ['dbMajorVersion must be omitted with the release system CONTINUOUS'],
  ],
  [{ dbVersion: '8.0.1' }, 400, 'ATTRIBUTE_READ_ONLY', ['dbVersion']],
  [{ paused: true }, 400, 'CANNOT_CREATE_PAUSED_CLUSTER', ['bad']],
  [{ backupEnabled: true }, 400, 'CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS', []],
  [{ backupEnabled: true, providerBackupEnabled: true }, 409, 'PLATFORM_BACKUP_CONFLICTING_OPTIONS', []],
  [{ pitEnabled: true }, 400, 'MISSING_ATTRIBUTE', ['providerBackupEnabled']],
  [
    { acceptDataRisksAndForceReplicaSetReconfig: '2025-01-01T00:00:00Z' },
    400,
    'INVALID_ATTRIBUTE',
    ['acceptDataRisksAndForceReplicaSetReconfig'],
  ],
  [{ groupId: 'f'.repeat(24) }, 400, 'ATTRIBUTE_READ_ONLY', ['groupId']],
  [{ encryptionAtRestProvider: 'OWN' }, 400, 'INVALID_ENUM_VALUE', ['OWN']],
  [{ autoScaling: { compute: { speed: 1 } } }, 400, 'INVALID_ATTRIBUTE', ['autoScaling.compute.speed']],
];

/** Bodies that leave the AWS cluster of size M10 unchanged. */
const updates: readonly Case[] = [
  [{ name: 'other' }, 400, 'CLUSTER_CANNOT_CHANGE_NAME', []],
  [{ backupEnabled: true }, 400, 'CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS', []],
  [{ backupEnabled: true, providerBackupEnabled: true }, 409, 'PLATFORM_BACKUP_CONFLICTING_OPTIONS', []],
  [{ clusterType: 'GEOSHARDED' }, 400, 'CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE', []],
  [{ dbMajorVersion: '7.0' }, 400, 'CLUSTER_UPGRADE_INVALID', ['8.0', '7.0']],
  [
    settings({ providerName: 'GCP', regionName: 'CENTRAL_US' }),
    400,
    'CLUSTER_CANNOT_CHANGE_PROVIDER_NAME',
    [],
  ],
  [settings({ providerName: undefined }), 400, 'MISSING_ATTRIBUTE', ['providerSettings.providerName']],
  [settings({ instanceSizeName: 'M11' }), 400, 'INVALID_ENUM_VALUE', ['M11']],
  [{ diskSizeGB: 1000 }, 400, 'CLUSTER_DISK_SIZE_INVALID', ['1000 GB exceeds the maximum of 100 GB for M10']],
  [{ paused: true, diskSizeGB: 20 }, 409, 'CANNOT_UPDATE_AND_PAUSE_CLUSTER', ['good']],
  [specs({ US_EAST_1: electable(4, 7) }), 400, 'INVALID_ATTRIBUTE', ['number of electable nodes']],
  [{ stateName: 'CREATING' }, 400, 'ATTRIBUTE_READ_ONLY', ['stateName']],
  [{ speed: 1 }, 400, 'INVALID_ATTRIBUTE', ['speed']],
];

onOneSetup('SQLite, one instance', 'bodies of clusters', (setup) => {
  for (const [about, cases] of Object.entries({ names, hardware, topology, versionsAndBackups })) {
    test(`an invalid body creates no cluster: ${about}`, async () => {
      const clusters = `${await newProject(setup)}/clusters`;
      for (const [change, status, code, parameters] of cases) {
        const reply = await setup.owner.post(clusters, { ...clusterBody('bad'), ...change });
        expectFault(reply, status, code, parameters);
      }
      assert.equal(expectStatus<ListDocument>(await setup.owner.get(clusters), 200).totalCount, 0);
    });
  }

  test('an invalid update changes nothing', async () => {
    const path = await newCluster(setup, await newProject(setup), 'good');
    const before = await idle(setup.account, path);
    for (const [change, status, code, parameters] of updates) {
      expectFault(await setup.owner.patch(path, change), status, code, parameters);
    }
    assert.equal(
      JSON.stringify({ ...(await idle(setup.account, path)), links: [] }),
      JSON.stringify({ ...before, links: [] }),
    );
  });

  test('a cluster with local disks cannot be paused', async () => {
    const providerSettings = { ...AWS, instanceSizeName: 'M40_NVME' };
    const change = { providerSettings, providerBackupEnabled: true };
    const path = await newCluster(setup, await newProject(setup), 'local', change);
    expectFault(await setup.owner.patch(path, { paused: true }), 409, 'CANNOT_PAUSE_NVME_CLUSTER');
  });

  test('a project has at most 25 clusters, even with concurrent requests', async () => {
    const clusters = `${await newProject(setup)}/clusters`;
    const all = Array.from({ length: 27 }, (_, index) => `c${index}`);
    const replies = await Promise.all(all.map((name) => setup.owner.post(clusters, clusterBody(name))));
    const refused = replies.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 2);
    for (const reply of refused) expectFault(reply, 403, 'CLUSTERS_LIMIT_EXCEEDED', [25]);
    const made = all.filter((_, index) => replies[index]?.status === 201);
    for (const name of made) expectStatus(await setup.owner.delete(`${clusters}/${name}`), 202);
    for (const name of made) await gone(setup.owner, `${clusters}/${name}`);
  });
});
