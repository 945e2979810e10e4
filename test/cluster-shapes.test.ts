import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import { clusterBody, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const accepting = (date: string) => ({ accept: `application/vnd.service.${date}+json` });
const zones = accepting('2023-02-01');
const shards = accepting('2024-10-23');

const unscaled = {
  compute: { enabled: false, predictiveEnabled: false, scaleDownEnabled: false },
  diskGB: { enabled: false },
};
const hardware = (instanceSize: string, nodeCount = 3) => ({ instanceSize, nodeCount });
const region = (
  providerName: string,
  regionName: string,
  priority: number,
  size = 'M10',
  nodes = 3,
  more = {},
) => ({
  providerName,
  regionName,
  priority,
  electableSpecs: hardware(size, nodes),
  ...more,
});

const post = (setup: Setup, project: string, body: object, options = shards) =>
  setup.owner.post(`${project}/clusters`, body, options);

/** Returns the fields of a cluster in the contract's shape. Omits fields that differ for each cluster. */
async function read(setup: Setup, project: string, name: string) {
  const document = expectStatus(await setup.owner.get(`${project}/clusters/${name}`), 200);
  const { diskSizeGB, clusterType, providerBackupEnabled, providerSettings, tags, replicationSpecs } =
    document;
  const specs = (replicationSpecs as Record<string, unknown>[]).map(({ id: _, ...spec }) => spec);
  return { diskSizeGB, clusterType, providerBackupEnabled, providerSettings, tags, specs };
}

onOneSetup('SQLite, one instance', 'shapes of clusters', (setup) => {
  sameClusterInEachShape(setup);
  newerShapesAlone(setup);
  versions(setup);
});

function sameClusterInEachShape(setup: Setup): void {
  test("a cluster created in the contract's shape can be read and changed in the newer shapes", async () => {
    const project = await newProject(setup);
    const path = await newCluster(setup, project, 'plain', { diskSizeGB: 20 });
    const inZones = expectStatus(await setup.owner.get(path, zones), 200);
    const [zone] = inZones.replicationSpecs as Record<string, unknown>[];
    assert.deepEqual([zone?.numShards, inZones.diskSizeGB, 'providerSettings' in inZones], [1, 20, false]);
    const inShards = expectStatus(await setup.owner.get(path, shards), 200);
    const [shard] = inShards.replicationSpecs as { id: string; zoneId: string; regionConfigs: object[] }[];
    assert.notEqual(shard?.id, zone?.id);
    assert.equal(shard?.zoneId, zone?.zoneId);
    assert.deepEqual(shard?.regionConfigs, [
      {
        analyticsAutoScaling: unscaled,
        analyticsSpecs: { diskIOPS: 3000, diskSizeGB: 20, ebsVolumeType: 'STANDARD', ...hardware('M10', 0) },
        autoScaling: unscaled,
        electableSpecs: { diskIOPS: 3000, diskSizeGB: 20, ebsVolumeType: 'STANDARD', ...hardware('M10') },
        priority: 7,
        providerName: 'AWS',
        readOnlySpecs: { diskIOPS: 3000, diskSizeGB: 20, ebsVolumeType: 'STANDARD', ...hardware('M10', 0) },
        regionName: 'US_EAST_1',
      },
    ]);
    const larger = { replicationSpecs: [{ regionConfigs: [region('AWS', 'US_EAST_1', 7, 'M30')] }] };
    expectStatus(await setup.owner.patch(path, larger, shards), 200);
    await idle(setup.owner, path);
    const contract = expectStatus(await setup.owner.get(path), 200);
    const settings = contract.providerSettings as Record<string, unknown>;
    assert.deepEqual([settings.instanceSizeName, contract.diskSizeGB], ['M30', 20]);
    expectStatus(await setup.owner.patch(path, { tags: [{ key: 'a', value: 'b' }] }, zones), 200);
    await idle(setup.owner, path);
    assert.deepEqual(expectStatus(await setup.owner.get(path), 200).tags, [{ key: 'a', value: 'b' }]);
  });

  test('each of the three shapes of a cluster recreates the same cluster', async () => {
    const project = await newProject(setup);
    const regions = {
      US_EAST_1: { analyticsNodes: 1, electableNodes: 2, priority: 7, readOnlyNodes: 0 },
      US_WEST_2: { analyticsNodes: 0, electableNodes: 1, priority: 6, readOnlyNodes: 1 },
    };
    const body = clusterBody('one', {
      clusterType: 'SHARDED',
      diskSizeGB: 40,
      providerBackupEnabled: true,
      replicationSpecs: [{ numShards: 2, regionsConfig: regions, zoneName: 'Zone 1' }],
      tags: [{ key: 'team', value: 'blue' }],
    });
    expectStatus(await post(setup, project, body, accepting('2025-03-12')), 201);
    const first = await read(setup, project, 'one');
    for (const [name, options] of [
      ['two', zones],
      ['three', shards],
    ] as const) {
      const { clusterType, backupEnabled, diskSizeGB, replicationSpecs, tags } = expectStatus(
        await setup.owner.get(`${project}/clusters/one`, options),
        200,
      );
      const sent = { name, clusterType, backupEnabled, diskSizeGB, replicationSpecs, tags };
      expectStatus(await post(setup, project, withoutIds(sent), options), 201);
      assert.deepEqual(await read(setup, project, name), first);
    }
  });
}

function newerShapesAlone(setup: Setup): void {
  test('rejects duplicate regions, and a backing provider for sizes that are not shared', async () => {
    const project = await newProject(setup);
    const send = (...regionConfigs: object[]) =>
      post(setup, project, { name: 'x', clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] });
    const twice = [region('AWS', 'US_EAST_1', 7, 'M10', 2), region('AWS', 'US_EAST_1', 6, 'M10', 1)];
    expectFault(await send(...twice), 400, 'INVALID_CLUSTER_CONFIGURATION', [
      'the region AWS US_EAST_1 appears twice in one shard',
    ]);
    const behind = region('AWS', 'US_EAST_1', 7, 'M10', 3, { backingProviderName: 'GCP' });
    expectFault(await send(behind), 400, 'INVALID_ATTRIBUTE', ['backingProviderName']);
  });

  test('only the newer shapes can express several providers', async () => {
    const project = await newProject(setup);
    await newCluster(setup, project, 'single');
    const regionConfigs = [region('AWS', 'US_EAST_1', 7, 'M10', 2), region('GCP', 'CENTRAL_US', 6, 'M10', 1)];
    const body = { name: 'multi', clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] };
    expectStatus(await post(setup, project, body), 201);
    const path = `${project}/clusters/multi`;
    expectFault(await setup.owner.get(path), 400, 'MULTI_CLOUD_CLUSTER_INVALID', ['multi']);
    const names = async (options: object) => {
      const list = expectStatus<ListDocument>(await setup.owner.get(`${project}/clusters`, options), 200);
      assert.equal(list.totalCount, list.results.length);
      return list.results.map(({ name }) => name);
    };
    assert.deepEqual(await names({}), ['single']);
    assert.deepEqual((await names(shards)).toSorted(), ['multi', 'single']);
    const oddly = { ...body, name: 'odd', replicationSpecs: [{ regionConfigs: regionConfigs.map(large) }] };
    expectFault(await post(setup, project, oddly), 400, 'INVALID_CLUSTER_CONFIGURATION', [
      'the size M140 cannot span several providers',
    ]);
  });

  test('only the newest shape can express shards of different sizes', async () => {
    const project = await newProject(setup);
    const shard = (size: string) => ({
      zoneName: 'Zone 1',
      regionConfigs: [region('AWS', 'US_EAST_1', 7, size)],
    });
    const body = { name: 'uneven', clusterType: 'SHARDED', replicationSpecs: [shard('M30'), shard('M40')] };
    expectStatus(await post(setup, project, body), 201);
    const path = `${project}/clusters/uneven`;
    expectFault(await setup.owner.get(path, zones), 400, 'ASYMMETRIC_SHARD_UNSUPPORTED', ['uneven']);
    const shown = expectStatus(await setup.owner.get(path, shards), 200).replicationSpecs as {
      regionConfigs: [{ electableSpecs: { instanceSize: string } }];
    }[];
    const sizes = shown.map(({ regionConfigs: [first] }) => first.electableSpecs.instanceSize);
    assert.deepEqual(sizes, ['M30', 'M40']);
    const mode = async (cluster: string) =>
      expectStatus(await setup.owner.get(`${cluster}/autoScalingConfiguration`), 200).autoScalingMode;
    assert.equal(await mode(path), 'INDEPENDENT_SHARD_SCALING');
    const zone = (zoneName: string, name: string, size: string) => ({
      zoneName,
      regionConfigs: [region('AWS', name, 7, size)],
    });
    const global = {
      name: 'global',
      clusterType: 'GEOSHARDED',
      replicationSpecs: [zone('East', 'US_EAST_1', 'M30'), zone('West', 'US_WEST_2', 'M40')],
    };
    expectStatus(await post(setup, project, global), 201);
    const { replicationSpecs } = expectStatus(
      await setup.owner.get(`${project}/clusters/global`, shards),
      200,
    );
    assert.partialDeepStrictEqual(replicationSpecs, global.replicationSpecs);
    assert.equal(await mode(await newCluster(setup, project, 'even')), 'CLUSTER_WIDE_SCALING');
  });

  test('nodes of a shard have one size, except analytics nodes, and regions are sorted by priority', async () => {
    const project = await newProject(setup);
    const nodes = (more: object) => region('AWS', 'US_EAST_1', 7, 'M30', 3, more);
    const send = (...regionConfigs: object[]) =>
      post(setup, project, {
        name: 'mixed',
        clusterType: 'REPLICASET',
        replicationSpecs: [{ regionConfigs }],
      });
    expectFault(
      await send(nodes({ readOnlySpecs: hardware('M40', 1) })),
      400,
      'INVALID_CLUSTER_CONFIGURATION',
      ['electable and read-only nodes of a shard must have the same size'],
    );
    for (const kind of ['readOnlySpecs', 'analyticsSpecs', 'electableSpecs']) {
      for (const count of [0, 1]) {
        const unknown = await send(nodes({ [kind]: hardware('M31', count) }));
        expectFault(unknown, 400, 'INVALID_ENUM_VALUE', ['M31']);
      }
    }
    const rising = [region('AWS', 'US_EAST_2', 6, 'M30', 1), region('AWS', 'US_EAST_1', 7, 'M30', 2)];
    expectFault(await send(...rising), 400, 'INVALID_ATTRIBUTE', ['priority']);
    expectStatus(await send(nodes({ analyticsSpecs: hardware('M40', 1) })), 201);
    const elsewhere = { providerName: 'TENANT', backingProviderName: 'AWS', regionName: 'ATLANTIS' };
    const free = { ...elsewhere, priority: 7, electableSpecs: { instanceSize: 'M0' } };
    expectFault(await send(free), 400, 'INVALID_TENANT_CONFIGURATION', [
      'the region ATLANTIS does not offer shared-tier clusters',
    ]);
  });

  test('a cluster can move to another provider in the newer shapes', async () => {
    const path = await newCluster(setup, await newProject(setup), 'moving');
    const there = { replicationSpecs: [{ regionConfigs: [region('GCP', 'CENTRAL_US', 7)] }] };
    expectStatus(await setup.owner.patch(path, there, shards), 200);
    await idle(setup.owner, path);
    const { providerSettings } = expectStatus(await setup.owner.get(path), 200);
    assert.deepEqual(providerSettings, {
      instanceSizeName: 'M10',
      providerName: 'GCP',
      regionName: 'CENTRAL_US',
    });
  });

  test('local disks are the same in every shape, and can be recreated from each', async () => {
    const project = await newProject(setup);
    const body = clusterBody('local', {
      providerBackupEnabled: true,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M40_NVME', regionName: 'US_EAST_1' },
    });
    expectStatus(await post(setup, project, body, accepting('2025-03-12')), 201);
    for (const [name, options] of [
      ['zones', zones],
      ['shards', shards],
    ] as const) {
      const { clusterType, backupEnabled, diskSizeGB, replicationSpecs } = expectStatus(
        await setup.owner.get(`${project}/clusters/local`, options),
        200,
      );
      const [spec] = replicationSpecs as { regionConfigs: [{ electableSpecs: Record<string, unknown> }] }[];
      assert.equal(spec?.regionConfigs[0].electableSpecs.ebsVolumeType, 'PROVISIONED');
      const sent = { name, clusterType, backupEnabled, diskSizeGB, replicationSpecs };
      expectStatus(await post(setup, project, withoutIds(sent), options), 201);
      assert.deepEqual(await read(setup, project, name), await read(setup, project, 'local'));
    }
  });
}

function versions(setup: Setup): void {
  test('the previous version returns the date of its deprecation', async () => {
    const project = await newProject(setup);
    const reply = await setup.owner.get(`${project}/clusters`, zones);
    assert.equal(reply.headers.get('deprecation'), 'Mon, 5 Aug 2024 00:00:00 GMT');
  });

  test('every shape preserves autoscaling, and rejects invalid combinations', async () => {
    const project = await newProject(setup);
    const settings = (compute: object) => ({
      autoScaling: { compute: { enabled: true, scaleDownEnabled: true } },
      providerSettings: { ...clusterBody('x').providerSettings, autoScaling: { compute } },
    });
    const limits = { minInstanceSize: 'M10', maxInstanceSize: 'M40' };
    const path = await newCluster(setup, project, 'scaling', settings(limits));
    const own = expectStatus(await setup.owner.get(path), 200);
    assert.deepEqual((own.providerSettings as { autoScaling: object }).autoScaling, { compute: limits });
    const newer = expectStatus(await setup.owner.get(path, shards), 200).replicationSpecs as {
      regionConfigs: [{ autoScaling: { compute: object } }];
    }[];
    assert.deepEqual(newer[0]?.regionConfigs[0].autoScaling.compute, {
      enabled: true,
      predictiveEnabled: false,
      scaleDownEnabled: true,
      ...limits,
    });
    for (const [compute, code, ...parameters] of [
      [{}, 'COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED'],
      [{ maxInstanceSize: 'M40' }, 'COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_REQUIRED'],
      [
        { minInstanceSize: 'M30', maxInstanceSize: 'M40' },
        'COMPUTE_AUTO_SCALING_INSTANCE_SIZE_RANGE_INVALID',
        'M30',
        'M40',
      ],
      [
        { minInstanceSize: 'M10', maxInstanceSize: 'R40' },
        'COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID',
        'M10',
        'R40',
      ],
    ] as const) {
      expectFault(
        await setup.owner.post(`${project}/clusters`, clusterBody('bad', settings(compute))),
        400,
        code,
        parameters,
      );
    }
  });
}

function large(config: ReturnType<typeof region>) {
  return { ...config, electableSpecs: { ...config.electableSpecs, instanceSize: 'M140' } };
}

function withoutIds(body: object): object {
  return JSON.parse(
    JSON.stringify(body, (key, value) => (key === 'id' || key === 'zoneId' ? undefined : value)),
  );
}
