import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { findCluster, updateCluster } from '../rows.ts';
import { clusterApi, makeCluster, openClusters } from '../testing.ts';

const ABSENT = 'f'.repeat(24);

/** Creates a replica set of the size M10 in one region, and a function that updates it. */
async function stage(t: TestContext) {
  const { store, groupId } = await openClusters(t, await emptyDatabase.sqlite(t));
  await store.write(async (tx) => updateCluster(tx, { ...(await makeCluster(tx, groupId)), state: 'IDLE' }));
  const { send } = await clusterApi(t, store, groupId);
  const patch = (version: string, body: object, path = 'clusters/c') => send(version, 'PATCH', path, body);
  const read = async (version: string) => (await send(version, 'GET', 'clusters/c')).json();
  const spec = async () => (await store.read((tx) => findCluster(tx, groupId, 'c')))?.spec;
  return { groupId, patch, read, send, spec };
}

type Stage = Awaited<ReturnType<typeof stage>>;

async function refused(reply: ReturnType<Stage['patch']>): Promise<readonly [string, readonly string[]]> {
  const { statusCode, body } = await reply;
  assert.equal(statusCode, 400, body);
  const { errorCode, parameters } = JSON.parse(body);
  return [errorCode, parameters];
}

test('rejects an update of an unknown zone in every shape', async (t) => {
  const { patch, read, spec } = await stage(t);
  const before = await spec();
  for (const version of ['v1.0', '2023-01-01', '2025-03-12', '2023-02-01']) {
    const { replicationSpecs, clusterType } = await read(version);
    const [entry] = replicationSpecs;
    const specs = (ids: readonly string[]) => ({
      clusterType,
      diskSizeGB: 10,
      replicationSpecs: ids.map((id) => ({ ...entry, id })),
    });
    const [code] = await refused(patch(version, specs([ABSENT])));
    assert.equal(code, 'REPLICATION_SPECS_INVALID', version);
    const [twice] = await refused(patch(version, specs([entry.id, entry.id])));
    assert.ok(
      ['REPLICATION_SPECS_INVALID', 'DUPLICATE_ZONE_NAME', 'ATTRIBUTE_READ_ONLY'].includes(twice),
      twice,
    );
    const { id: _, ...unnamed } = entry;
    const kept = await patch(version, { clusterType, diskSizeGB: 10, replicationSpecs: [unnamed] });
    assert.equal(kept.statusCode, 200, kept.body);
    assert.deepEqual((await spec())?.zones, before?.zones, version);
  }
  const [entry] = (await read('2024-08-05')).replicationSpecs;
  const sent = patch('2024-08-05', { replicationSpecs: [{ ...entry, id: ABSENT }] });
  assert.equal((await refused(sent))[0], 'ATTRIBUTE_READ_ONLY');
});

const two = (first: object, second: object) => ({
  replicationSpecs: [
    {
      regionConfigs: [
        { providerName: 'AWS', regionName: 'US_EAST_1', priority: 7, ...first },
        { providerName: 'AWS', regionName: 'US_WEST_2', priority: 6, ...second },
      ],
    },
  ],
});
const nodes = (nodeCount: number, more: object = {}) => ({
  electableSpecs: { instanceSize: 'M30', nodeCount, diskSizeGB: 200, ...more },
});
const upTo = (maxInstanceSize: string) => ({ compute: { enabled: true, maxInstanceSize } });

const toDisk = (enabled: boolean) => ({ ...upTo('M60'), diskGB: { enabled } });

test('keeps the compute autoscaling of analytics nodes, until a request sets that of all nodes', async (t) => {
  const { patch, read } = await stage(t);
  const scalings = async () => {
    const { replicationSpecs } = await read('2024-08-05');
    const [spec] = replicationSpecs as [{ regionConfigs: [Record<string, { compute: object }>] }];
    const [{ autoScaling, analyticsAutoScaling }] = spec.regionConfigs;
    return [autoScaling?.compute, analyticsAutoScaling?.compute];
  };
  const off = { enabled: false, predictiveEnabled: false, scaleDownEnabled: false };
  const on = { ...off, enabled: true, maxInstanceSize: 'M60' };
  const analyticsAutoScaling = { compute: { enabled: false, maxInstanceSize: '' } };
  const separate = two({ ...nodes(2), autoScaling: upTo('M60'), analyticsAutoScaling }, nodes(1));
  assert.equal((await patch('2024-08-05', separate)).statusCode, 200);
  assert.deepEqual(await scalings(), [on, off]);
  assert.equal((await patch('2024-08-05', two(nodes(2), nodes(1)))).statusCode, 200);
  assert.deepEqual(await scalings(), [on, off]);
  const all = two({ ...nodes(2), autoScaling: upTo('M60') }, nodes(1));
  assert.equal((await patch('2024-08-05', all)).statusCode, 200);
  assert.deepEqual(await scalings(), [on, on]);
});

test('shards can have different volumes', async (t) => {
  const { patch, read } = await stage(t);
  const shard = (specs: object) => ({
    zoneName: 'Zone 1',
    regionConfigs: [
      {
        ...{ providerName: 'AWS', regionName: 'US_EAST_1', priority: 7 },
        electableSpecs: { instanceSize: 'M30', nodeCount: 3, ...specs },
      },
    ],
  });
  const provisioned = (diskIOPS: number) => shard({ diskIOPS, diskSizeGB: 40, ebsVolumeType: 'PROVISIONED' });
  const replicationSpecs = [provisioned(2000), provisioned(1000), shard({})];
  for (const specs of [replicationSpecs.slice(0, 1), replicationSpecs]) {
    const changed = await patch('2024-08-05', { clusterType: 'SHARDED', replicationSpecs: specs });
    assert.equal(changed.statusCode, 200, changed.body);
  }
  const shown = (await read('2024-08-05')).replicationSpecs as {
    readonly regionConfigs: readonly [{ readonly electableSpecs: { readonly diskIOPS: number } }];
  }[];
  assert.deepEqual(
    shown.map(({ regionConfigs: [{ electableSpecs }] }) => electableSpecs.diskIOPS),
    [2000, 1000, 2000],
  );
  assert.equal((await read('2023-02-01')).errorCode, 'ASYMMETRIC_SHARD_UNSUPPORTED');
  const even = await patch('2024-08-05', { replicationSpecs: replicationSpecs.map(() => provisioned(2000)) });
  assert.equal(even.statusCode, 200, even.body);
  assert.equal((await read('2023-02-01')).errorCode, undefined);
});

test('rejects autoscaling and volumes that differ between regions or kinds of nodes', async (t) => {
  const { patch } = await stage(t);
  const differing = [
    two({ ...nodes(2), autoScaling: upTo('M60') }, { ...nodes(1), autoScaling: upTo('M50') }),
    two({ ...nodes(2), autoScaling: toDisk(true), analyticsAutoScaling: toDisk(false) }, nodes(1)),
    two(nodes(2, { diskIOPS: 3000 }), nodes(1, { diskIOPS: 3100 })),
    two(nodes(2, { ebsVolumeType: 'PROVISIONED' }), nodes(1, { ebsVolumeType: 'STANDARD' })),
  ];
  for (const body of differing) {
    assert.equal((await refused(patch('2024-08-05', body)))[0], 'INVALID_CLUSTER_CONFIGURATION');
  }
});

test('applies autoscaling and volumes of one region to all regions', async (t) => {
  const { patch, spec } = await stage(t);
  const volume = { diskIOPS: 3100, ebsVolumeType: 'PROVISIONED' };
  const none = { analyticsSpecs: { instanceSize: 'M30', nodeCount: 0, diskIOPS: 3000 } };
  const body = two(
    { ...nodes(2), ...none },
    { ...nodes(1, volume), autoScaling: upTo('M60'), analyticsAutoScaling: { diskGB: { enabled: true } } },
  );
  assert.equal((await patch('2024-08-05', body)).statusCode, 200);
  const after = await spec();
  assert.deepEqual([after?.diskIOPS, after?.volumeType], [3100, 'PROVISIONED']);
  assert.deepEqual(after?.settings.computeLimits, { maxInstanceSize: 'M60' });
  assert.equal(after?.settings.autoScaling?.diskGBEnabled, true);
});

test('changes only the disk size in every shape that has the field', async (t) => {
  const { patch, read, spec } = await stage(t);
  const provisioned = two(nodes(2, { diskIOPS: 3100, ebsVolumeType: 'PROVISIONED' }), nodes(1));
  assert.equal((await patch('2024-08-05', provisioned)).statusCode, 200);
  const { settings: _, ...nodesBefore } = { ...(await spec()) };
  let diskSizeGB = 200;
  for (const version of ['v1.0', '2023-01-01', '2023-02-01', '2025-03-12']) {
    for (const others of [{}, await read(version)]) {
      const { links: _links, stateName: _state, ...body } = others;
      const reply = await patch(version, { ...body, diskSizeGB: ++diskSizeGB });
      assert.equal(reply.statusCode, 200, `${version}: ${reply.body}`);
      assert.equal(reply.json().diskSizeGB, diskSizeGB, version);
      // Whole documents also contain default values of settings.
      const { settings: _settings, ...nodesAfter } = { ...(await spec()) };
      assert.deepEqual(nodesAfter, { ...nodesBefore, diskSizeGB }, version);
    }
    const [code] = await refused(patch(version, { diskSizeGB: 10_000 }));
    assert.equal(code, 'CLUSTER_DISK_SIZE_INVALID', version);
  }
});

test('requires backups for point-in-time restores, under the name of each shape', async (t) => {
  const { patch } = await stage(t);
  for (const [version, field] of [
    ['2023-01-01', 'providerBackupEnabled'],
    ['2023-02-01', 'backupEnabled'],
    ['2024-08-05', 'backupEnabled'],
    ['2025-03-12', 'providerBackupEnabled'],
  ] as const) {
    const reply = await refused(patch(version, { pitEnabled: true }));
    assert.deepEqual(reply, ['MISSING_ATTRIBUTE', [field]], version);
  }
});

test('records a separate event for a change of the process arguments', async (t) => {
  const { patch, send } = await stage(t);
  assert.equal((await patch('2025-03-12', { noTableScan: true }, 'clusters/c/processArgs')).statusCode, 200);
  const { results } = (await send('2025-03-12', 'GET', 'events?itemsPerPage=2')).json();
  const types = results.map(({ eventTypeName }: { eventTypeName: string }) => eventTypeName);
  assert.deepEqual(types, ['CLUSTER_PROCESS_ARGS_UPDATE_SUBMITTED', 'CLUSTER_CREATED']);
});
