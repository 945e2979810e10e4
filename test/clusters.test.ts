import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  gone,
  idIn,
  idle,
  type ListDocument,
  newCluster,
  newProject,
  nodes,
  withoutOrigins,
} from './support/stage.ts';

/** The document of an idle cluster that was created with the smallest body, except ids, dates, links and host names. */
const plainCluster = {
  advancedConfiguration: {
    customOpensslCipherConfigTls12: [],
    minimumEnabledTlsProtocol: 'TLS1_2',
    tlsCipherConfigMode: 'DEFAULT',
  },
  autoScaling: {
    compute: { enabled: false, predictiveEnabled: false, scaleDownEnabled: false },
    diskGBEnabled: false,
  },
  backupEnabled: false,
  biConnector: { enabled: false, readPreference: 'SECONDARY' },
  clusterType: 'REPLICASET',
  dbMajorVersion: '8.0',
  diskSizeGB: 10,
  diskWarmingMode: 'FULLY_WARMED',
  encryptionAtRestProvider: 'NONE',
  featureCompatibilityVersion: '8.0',
  globalClusterSelfManagedSharding: false,
  labels: [],
  name: 'plain',
  numShards: 1,
  paused: false,
  pitEnabled: false,
  providerBackupEnabled: false,
  providerSettings: {
    diskIOPS: 3000,
    encryptEBSVolume: true,
    instanceSizeName: 'M10',
    providerName: 'AWS',
    regionName: 'US_EAST_1',
    volumeType: 'STANDARD',
  },
  replicaSetScalingStrategy: 'WORKLOAD_TYPE',
  replicationFactor: 3,
  replicationSpec: { US_EAST_1: nodes(3, 7) },
  rootCertType: 'ISRGROOTX1',
  stateName: 'IDLE',
  tags: [],
  terminationProtectionEnabled: false,
  versionReleaseSystem: 'LTS',
};

onOneSetup('PostgreSQL, two instances', 'clusters', (setup) => {
  creation(setup);
  changes(setup);
  refusals(setup);
});

function creation(setup: Setup): void {
  test('the smallest body creates a cluster with all defaults', async () => {
    const project = await newProject(setup);
    const path = await newCluster(setup, project, 'plain');
    const document = expectStatus(await setup.owner.get(path), 200);
    const { connectionStrings, createDate, dbURI, dbURIUpdated, dbURIWithOptions, ...rest } = document;
    const { dbVersion, groupId, id, links, replicationSpecs, ...plain } = rest;
    assert.deepEqual(plain, plainCluster);
    assert.equal(groupId, idIn(project));
    assert.match(String(id), /^[a-f0-9]{24}$/);
    assert.match(String(dbVersion), /^8\.0\.\d+$/);
    const [spec] = replicationSpecs as Record<string, unknown>[];
    const zone = { numShards: 1, regionsConfig: { US_EAST_1: nodes(3, 7) }, zoneName: 'Zone 1' };
    assert.deepEqual({ ...spec, id: '' }, { id: '', ...zone });
    for (const date of [createDate, dbURIUpdated]) assert.match(String(date), /^[\d-]{10}T[\d:]{8}Z$/);
    const hosts = '127\\.0\\.0\\.1:\\d+(,127\\.0\\.0\\.1:\\d+){2}';
    assert.match(String(dbURI), new RegExp(`^mongodb://${hosts}$`));
    const options = '\\?authSource=admin&replicaSet=platform-[a-z0-9]{6}-shard-0';
    assert.match(String(dbURIWithOptions), new RegExp(`^mongodb://${hosts}/${options}$`));
    assert.deepEqual(connectionStrings, { standard: dbURIWithOptions });
    const relations = (links as { rel: string }[]).map(({ rel }) => rel.replace(/^https:.*\//, ''));
    assert.deepEqual(relations, [
      'self',
      'accessLogs',
      'autoScalingConfiguration',
      'exports',
      'outageSimulation',
      'processArgs',
      'restoreJobs',
      'searchAnalyzers',
      'searchDeployment',
      'searchIndexes',
      'snapshots',
      'status',
    ]);
    const reply = await setup.owner.get(`${project}/clusters`);
    const { results, totalCount } = expectStatus<ListDocument>(reply, 200);
    const { links: _, ...listed } = results[0] ?? {};
    const { links: _links, ...single } = document;
    assert.deepEqual([listed, totalCount], [single, 1]);
  });

  test('a cluster has the requested regions, size, version, disk and labels', async () => {
    const project = await newProject(setup);
    const regionsConfig = {
      US_WEST: nodes(3, 7, { readOnlyNodes: 1 }),
      EUROPE_NORTH: nodes(2, 6, { analyticsNodes: 1 }),
    };
    const asked = {
      clusterType: 'REPLICASET',
      providerSettings: { providerName: 'AZURE', instanceSizeName: 'M30' },
      replicationSpecs: [{ numShards: 1, regionsConfig, zoneName: 'Everywhere' }],
      diskSizeGB: 64,
      dbMajorVersion: '7.0',
      labels: [{ key: 'team', value: 'pilots' }],
      tags: [{ key: 'stage', value: 'test' }],
      biConnector: { enabled: true, readPreference: 'ANALYTICS' },
      providerBackupEnabled: true,
    };
    const path = await newCluster(setup, project, 'wide', asked);
    const { replicationSpecs, providerSettings, ...rest } = expectStatus(await setup.owner.get(path), 200);
    const [spec] = replicationSpecs as Record<string, unknown>[];
    assert.deepEqual({ ...spec, id: '' }, { ...asked.replicationSpecs[0], id: '' });
    assert.deepEqual(providerSettings, { ...asked.providerSettings, diskTypeName: 'P6' });
    for (const name of ['diskSizeGB', 'dbMajorVersion', 'labels', 'tags', 'biConnector'] as const) {
      assert.deepEqual(rest[name], asked[name]);
    }
    const { standard = '' } = rest.connectionStrings as { standard?: string };
    assert.equal(standard.split(',').length, 7, 'every node has an address');
    assert.equal(rest.replicationFactor, 5);
  });

  test('a disk smaller than 10 GB becomes 10 GB, and the free size has no disk to choose', async () => {
    const project = await newProject(setup);
    const small = await setup.owner.post(`${project}/clusters`, clusterBody('small', { diskSizeGB: 3 }));
    assert.equal(expectStatus(small, 201).diskSizeGB, 10);
    const tenant = { providerName: 'TENANT', backingProviderName: 'GCP', instanceSizeName: 'M0' };
    const providerSettings = { ...tenant, regionName: 'CENTRAL_US' };
    const free = await setup.owner.post(`${project}/clusters`, { name: 'free', providerSettings });
    const document = expectStatus(free, 201);
    assert.deepEqual(document.providerSettings, { ...providerSettings, effectiveInstanceSizeName: 'M0' });
    assert.equal(document.diskSizeGB, 0.5);
    await idle(setup.owner, `${project}/clusters/free`);
    const refused = await setup.owner.patch(`${project}/clusters/free`, { paused: true });
    expectFault(refused, 400, 'TENANT_CLUSTER_UPDATE_UNSUPPORTED');
  });

  test('a name is unique in a project, even with concurrent requests', async () => {
    const project = await newProject(setup);
    const ask = () => setup.owner.post(`${project}/clusters`, clusterBody('contested'));
    const replies = await Promise.all(Array.from({ length: 6 }, ask));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    const taken = ['cluster or serverless instance', 'contested', idIn(project)];
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectFault(reply, 409, 'DUPLICATE_CLUSTER_NAME', taken);
    }
    const prefix = 'twenty-three-characters';
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody(`${prefix}-1`)), 201);
    const second = await setup.owner.post(`${project}/clusters`, clusterBody(`${prefix}-2`));
    expectFault(second, 400, 'DUPLICATE_CLUSTER_NAME_PREFIX', [`${prefix}-2`, 23]);
    const { totalCount } = expectStatus<ListDocument>(await setup.owner.get(`${project}/clusters`), 200);
    assert.equal(totalCount, 2);
    const other = await newProject(setup);
    expectStatus(await setup.owner.post(`${other}/clusters`, clusterBody('contested')), 201);
  });
}

function changes(setup: Setup): void {
  test('size, disk and labels change, and omitted fields stay', async () => {
    const project = await newProject(setup);
    const path = await newCluster(setup, project, 'growing', { tags: [{ key: 'a', value: 'b' }] });
    const before = await idle(setup.owner, path);
    const larger = { providerSettings: { providerName: 'AWS', instanceSizeName: 'M20' } };
    const changing = expectStatus<ClusterDocument>(await setup.owner.patch(path, larger), 200);
    assert.equal(changing.stateName, 'UPDATING');
    const after = (await idle(setup.owner, path)) as unknown as Record<string, Record<string, unknown>>;
    assert.deepEqual([after.providerSettings?.instanceSizeName, after.diskSizeGB], ['M20', 20]);
    assert.deepEqual(after.tags, [{ key: 'a', value: 'b' }]);
    assert.deepEqual(after.connectionStrings, before.connectionStrings);
    expectStatus(await setup.owner.patch(path, { diskSizeGB: 40, labels: [{ key: 'c', value: 'd' }] }), 200);
    const grown = (await idle(setup.owner, path)) as unknown as Record<string, unknown>;
    assert.deepEqual([grown.diskSizeGB, grown.labels], [40, [{ key: 'c', value: 'd' }]]);
    const { results } = expectStatus<ListDocument>(await setup.owner.get(`${project}/events`), 200);
    const types = results.map(({ eventTypeName }) => eventTypeName);
    const updates = types.filter((type) => /UPDATE|TAGS/.test(String(type))).toReversed();
    // Sort the events of each update, since two instances may record them within the same millisecond.
    const update = ['CLUSTER_UPDATE_COMPLETED', 'CLUSTER_UPDATE_STARTED', 'CLUSTER_UPDATE_SUBMITTED'];
    assert.deepEqual([updates.slice(0, 3).toSorted(), updates.slice(3).toSorted()], [update, update]);
    expectStatus(await setup.owner.patch(path, { tags: [] }), 200);
    await idle(setup.owner, path);
    const query = 'eventType=CLUSTER_TAGS_MODIFIED';
    const tagged = expectStatus<ListDocument>(await setup.owner.get(`${project}/events?${query}`), 200);
    assert.deepEqual(
      tagged.results.map(({ clusterName }) => clusterName),
      ['growing'],
    );
  });

  test('nodes are added and removed while others keep their ports', async () => {
    const path = await newCluster(setup, await newProject(setup), 'moving');
    const hostsOf = async () => {
      const { connectionStrings } = await idle(setup.owner, path);
      return /^mongodb:\/\/([^/]+)/.exec(connectionStrings.standard ?? '')?.[1]?.split(',') ?? [];
    };
    const three = await hostsOf();
    expectStatus(await setup.owner.patch(path, { replicationFactor: 5, ...region }), 200);
    const five = await hostsOf();
    assert.deepEqual([five.length, five.slice(0, 3)], [5, three]);
    expectStatus(await setup.owner.patch(path, { replicationFactor: 3, ...region }), 200);
    assert.deepEqual(await hostsOf(), three);
  });

  test('a document that was read may be sent back with a change', async () => {
    const path = await newCluster(setup, await newProject(setup), 'echo');
    const before = await idle(setup.owner, path);
    const tags = [{ key: 'sent', value: 'back' }];
    expectStatus(await setup.owner.patch(path, { ...before, tags }), 200);
    const after = await idle(setup.owner, path);
    assert.deepEqual(withoutOrigins(after), withoutOrigins({ ...before, tags }));
    const [spec] = before.replicationSpecs;
    const wider = { ...spec, regionsConfig: { US_EAST_1: nodes(3, 7), US_EAST_2: nodes(2, 6) } };
    expectStatus(await setup.owner.patch(path, { ...after, replicationSpecs: [wider] }), 200);
    const wide = await idle(setup.owner, path);
    assert.deepEqual(wide.replicationSpecs, [wider]);
    const together = await setup.owner.patch(path, { ...wide, paused: true });
    expectFault(together, 409, 'CANNOT_UPDATE_AND_PAUSE_CLUSTER', ['echo']);
    expectStatus(await setup.owner.patch(path, { paused: true }), 200);
    const paused = await idle(setup.owner, path);
    assert.equal(paused.paused, true);
    for (const [field, value] of Object.entries({
      stateName: 'CREATING',
      dbURI: 'mongodb://h',
      id: 'f'.repeat(24),
    })) {
      const reply = await setup.owner.patch(path, { ...paused, [field]: value });
      expectFault(reply, 400, 'ATTRIBUTE_READ_ONLY', [field]);
    }
  });
}

function refusals(setup: Setup): void {
  test('a cluster with termination protection cannot be deleted', async () => {
    const project = await newProject(setup);
    const path = await newCluster(setup, project, 'safe', { terminationProtectionEnabled: true });
    const code = 'CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED';
    expectFault(await setup.owner.delete(path), 400, code, ['safe', idIn(project)]);
    expectStatus(await setup.owner.patch(path, { terminationProtectionEnabled: false }), 200);
    await idle(setup.owner, path);
    expectStatus(await setup.owner.delete(`${path}?retainBackups=false`), 202);
    await gone(setup.owner, path);
  });

  test('intermediate states are visible, and reject requests that they forbid', async (t) => {
    const project = await newProject(setup);
    const path = `${project}/clusters/slow`;
    const hosts = setup.instances.map((instance) => instance.hostPid());
    t.after(() => {
      for (const pid of hosts) process.kill(pid, 'SIGCONT');
    });
    for (const pid of hosts) process.kill(pid, 'SIGSTOP');
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('slow')), 201);
    const creating = expectStatus<ClusterDocument>(await setup.owner.get(path), 200);
    assert.deepEqual([creating.stateName, creating.connectionStrings], ['CREATING', {}]);
    assert.equal(expectStatus(await setup.owner.get(`${path}/status`), 200).changeStatus, 'PENDING');
    for (const body of [{ diskSizeGB: 20 }, { paused: true }]) {
      expectFault(await setup.owner.patch(path, body), 409, 'CLUSTER_UPDATE_IN_PROGRESS', [
        'slow',
        'CREATING',
      ]);
    }
    expectStatus(await setup.owner.delete(path), 202);
    assert.equal(expectStatus(await setup.owner.get(path), 200).stateName, 'DELETING');
    const requested = 'CLUSTER_ALREADY_REQUESTED_DELETION';
    expectFault(await setup.owner.patch(path, { diskSizeGB: 20 }), 400, requested, ['slow']);
    expectFault(await setup.owner.delete(path), 400, requested, ['slow']);
    const again = await setup.owner.post(`${project}/clusters`, clusterBody('slow'));
    const taken = ['cluster or serverless instance', 'slow', idIn(project)];
    expectFault(again, 409, 'DUPLICATE_CLUSTER_NAME', taken);
    expectFault(await setup.owner.delete(project), 409, 'CANNOT_CLOSE_GROUP_ACTIVE_PLATFORM_CLUSTERS');
    for (const pid of hosts) process.kill(pid, 'SIGCONT');
    await gone(setup.owner, path);
    expectStatus(await setup.owner.delete(project), 204);
  });

  test('an unknown cluster', async () => {
    const project = await newProject(setup);
    for (const below of ['', '/status']) {
      const reply = await setup.owner.get(`${project}/clusters/none${below}`);
      expectFault(reply, 404, 'CLUSTER_NOT_FOUND', ['none', idIn(project)]);
    }
    for (const method of ['PATCH', 'DELETE']) {
      const reply = await setup.owner.send(method, `${project}/clusters/none`, {});
      expectFault(reply, 404, 'CLUSTER_NOT_FOUND', ['none', idIn(project)]);
    }
  });
}

const region = {
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
};
