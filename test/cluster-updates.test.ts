import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { idle, type ListDocument, newCluster, newProject, nodes } from './support/stage.ts';

const AWS = { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' };
const settings = (change: object = {}) => ({ providerSettings: { ...AWS, ...change } });

const within = (regionsConfig: object, more: object = {}) => ({
  clusterType: 'REPLICASET',
  diskSizeGB: 40,
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
  replicationSpecs: [{ numShards: 1, regionsConfig, zoneName: 'Zone 1' }],
  ...more,
});

onOneSetup('SQLite, one instance', 'updates of clusters', (setup) => {
  async function open(name: string, change: object) {
    const path = await newCluster(setup, await newProject(setup), name, change);
    const patch = (body: object) => setup.owner.patch(path, body);
    /** Changes the cluster. Returns its document once it is idle. */
    const changed = async (body: object) => {
      expectStatus(await patch(body), 200);
      return (await idle(setup.owner, path)) as unknown as Record<string, Record<string, unknown>>;
    };
    return { path, patch, changed };
  }

  test('a cluster in one region keeps the nodes that an update does not name', async () => {
    const regionsConfig = { US_EAST_1: nodes(3, 7, { analyticsNodes: 1 }) };
    const { changed, patch } = await open('one', within(regionsConfig));
    const larger = await changed(settings({ instanceSizeName: 'M40' }));
    assert.deepEqual(larger.replicationSpec, regionsConfig);
    const more = await changed({ replicationFactor: 5 });
    assert.deepEqual(more.replicationSpec, { US_EAST_1: nodes(5, 7, { analyticsNodes: 1 }) });
    const moved = await changed(settings({ instanceSizeName: 'M40', regionName: 'US_EAST_2' }));
    assert.deepEqual(moved.replicationSpec, { US_EAST_2: nodes(5, 7, { analyticsNodes: 1 }) });
    assert.equal(moved.providerSettings?.regionName, 'US_EAST_2');
    expectFault(await patch({ replicationFactor: 4 }), 400, 'CLUSTER_REPLICATION_FACTOR_INVALID');
    expectFault(await patch({ numShards: 2 }), 400, 'INVALID_CLUSTER_CONFIGURATION', [
      'a replica set must have one shard',
    ]);
  });

  test('a cluster with several regions has neither a region nor a node count of its own', async () => {
    const regionsConfig = { US_EAST_1: nodes(2, 7), US_EAST_2: nodes(1, 6) };
    const elsewhere = { replicationFactor: 7, providerSettings: { ...AWS, regionName: 'EU_WEST_1' } };
    const { changed, patch } = await open('several', within(regionsConfig, elsewhere));
    const after = await changed(settings({ instanceSizeName: 'M40' }));
    assert.deepEqual(after.replicationSpecs?.[0], {
      ...(after.replicationSpecs?.[0] as object),
      regionsConfig,
    });
    assert.deepEqual(
      [after.providerSettings?.instanceSizeName, after.providerSettings?.regionName],
      ['M40', undefined],
    );
    expectFault(await patch({ replicationFactor: 5 }), 400, 'INVALID_CLUSTER_CONFIGURATION', [
      'replicationFactor is allowed only for clusters in one region',
    ]);
  });

  test('a sharded cluster gets more shards through numShards', async () => {
    const { changed, patch } = await open('wide', { clusterType: 'SHARDED', ...settings() });
    assert.equal((await changed({ numShards: 2 })).numShards, 2);
    assert.equal((await changed({ diskSizeGB: 50 })).numShards, 2);
    for (const numShards of [0, 51]) {
      expectFault(await patch({ numShards }), 400, 'CLUSTER_NUM_SHARDS_INVALID', [50]);
    }
  });

  test('zones get default names', async () => {
    const zone = (region: string) => ({ numShards: 1, regionsConfig: { [region]: nodes(3, 7) } });
    const replicationSpecs = [zone('US_EAST_1'), zone('EU_WEST_1')];
    const { patch, path } = await open('global', within({}, { clusterType: 'GEOSHARDED', replicationSpecs }));
    const document = await idle(setup.owner, path);
    const specs = document.replicationSpecs as { id: string; zoneName: string }[];
    assert.deepEqual(
      specs.map(({ zoneName }) => zoneName),
      ['Zone 1', 'Zone 2'],
    );
    expectFault(await patch({ numShards: 3 }), 400, 'INVALID_CLUSTER_CONFIGURATION', [
      'numShards is allowed only for clusters with one zone',
    ]);
    const more = [...specs, zone('AP_EAST_1')];
    const after = expectStatus(await patch({ diskSizeGB: 40, replicationSpecs: more }), 200);
    const ids = (after.replicationSpecs as { id: string }[]).map(({ id }) => id);
    assert.deepEqual([ids.slice(0, 2), ids.length], [specs.map(({ id }) => id), 3]);
  });

  test('a chosen disk size survives a change of instance size that supports it', async () => {
    const { changed, patch } = await open('disk', {
      ...settings({ instanceSizeName: 'M10' }),
      diskSizeGB: 30,
    });
    const larger = await changed(settings());
    assert.equal(larger.diskSizeGB, 30);
    assert.equal((await changed({ diskSizeGB: 200 })).diskSizeGB, 200);
    expectFault(await patch(settings({ instanceSizeName: 'M10' })), 400, 'CLUSTER_DISK_SIZE_INVALID', [
      '200 GB exceeds the maximum of 100 GB for M10',
    ]);
    const small = await changed({ ...settings({ instanceSizeName: 'M10' }), diskSizeGB: 20 });
    assert.equal(small.diskSizeGB, 20);
  });

  test('rejects an instance size that the region does not offer', async () => {
    const { patch } = await open('south', settings({ regionName: 'AP_SOUTHEAST_2' }));
    const change = { providerSettings: { providerName: 'AWS', instanceSizeName: 'M140' } };
    expectFault(await patch(change), 400, 'NO_COMMON_INSTANCE_FAMILY', ['M140', 'AP_SOUTHEAST_2']);
  });

  test('a disk shrinks only if the data fit', async () => {
    const { changed, patch, path } = await open('shrinking', { diskSizeGB: 40 });
    assert.equal((await changed({ diskSizeGB: 20 })).diskSizeGB, 20);
    await changed({ paused: true });
    expectFault(await patch({ paused: false, diskSizeGB: 15 }), 500, 'CANNOT_DECREASE_DISK_SIZE');
    assert.equal((await idle(setup.owner, path)).paused, true);
    const resumed = await changed({ paused: false, diskSizeGB: 25 });
    assert.deepEqual([resumed.paused, resumed.diskSizeGB], [false, 25]);
  });

  test('a pause excludes other fields, and a paused cluster accepts only a resume', async () => {
    const { changed, patch, path } = await open('resting', { diskSizeGB: 10 });
    const together = { paused: true, diskSizeGB: 10 };
    expectFault(await patch(together), 409, 'CANNOT_UPDATE_AND_PAUSE_CLUSTER', ['resting']);
    assert.equal(expectStatus(await patch({ paused: false }), 200).stateName, 'IDLE');
    assert.equal((await changed({ paused: true })).paused, true);
    expectFault(await patch({ paused: true }), 409, 'CLUSTER_ALREADY_PAUSED', ['resting']);
    const tags = [{ key: 'stage', value: 'test' }];
    expectFault(await patch({ tags }), 409, 'CANNOT_UPDATE_PAUSED_CLUSTER', ['resting']);
    const groupId = path.split('/')[2];
    const { results } = expectStatus<ListDocument>(await setup.owner.get('/clusters?itemsPerPage=500'), 200);
    const [shown] = (results.find((project) => project.groupId === groupId)?.clusters ?? []) as object[];
    assert.equal((shown as { availability?: string }).availability, 'unavailable');
    const resumed = await changed({ paused: false, tags });
    assert.deepEqual([resumed.paused, resumed.tags], [false, tags]);
    expectFault(await patch({ paused: true }), 400, 'CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER', [60]);
  });

  test('changes in quick succession are all applied', async () => {
    const { patch, path } = await open('busy', {});
    const tags = [{ key: 'stage', value: 'test' }];
    const changes = [
      { diskSizeGB: 20 },
      { tags },
      settings({ instanceSizeName: 'M20' }),
      { replicationFactor: 5 },
    ];
    for (const change of changes) expectStatus(await patch(change), 200);
    const after = (await idle(setup.owner, path)) as unknown as Record<string, Record<string, unknown>>;
    assert.deepEqual(
      [after.diskSizeGB, after.tags, after.providerSettings?.instanceSizeName, after.replicationFactor],
      [20, tags, 'M20', 5],
    );
    const { connectionStrings } = await idle(setup.owner, path);
    assert.equal(connectionStrings.standard?.split(',').length, 5);
  });
});
