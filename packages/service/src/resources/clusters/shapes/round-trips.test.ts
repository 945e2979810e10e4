import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { system } from '../../../events/index.ts';
import { addCluster } from '../lifecycle/changes.ts';
import type { ClusterSpec } from '../model/cluster.ts';
import { fixedSizeSpec } from '../model/fixed-size.ts';
import { updateCluster } from '../rows.ts';
import { clusterApi, openClusters } from '../testing.ts';
import type { RegionConfigsBody } from './carried.ts';
import { readNewCluster } from './contract/read.ts';
import type { Cluster } from './contract/schema.ts';
import { readNewRegionConfigs } from './region-configs/requests.ts';

const id = (() => {
  let count = 0;
  return () => (++count).toString(16).padStart(24, '0');
})();

const contract = (body: Cluster) => readNewCluster({ name: 'c', ...body }, id).spec;
const shards = (body: RegionConfigsBody['body']) =>
  readNewRegionConfigs({ kind: 'shards', body: { name: 'c', ...body } }, id).spec;

const aws = { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' } as const;
const nodes = { analyticsNodes: 1, electableNodes: 3, priority: 7, readOnlyNodes: 1 };
const zone = (zoneName: string, region: string) => ({
  numShards: 2,
  zoneName,
  regionsConfig: { [region]: nodes },
});
const shared = (instanceSizeName: string) =>
  contract({
    providerSettings: {
      providerName: 'TENANT',
      backingProviderName: 'AWS',
      instanceSizeName,
      regionName: 'US_EAST_1',
    },
  });
const at = (
  providerName: 'AWS' | 'AZURE' | 'GCP',
  regionName: string,
  priority: number,
  nodeCount: number,
  instanceSize = 'M30',
) => ({ providerName, regionName, priority, electableSpecs: { instanceSize, nodeCount } });

const old = ['v1.0', '2023-01-01'];
const region = ['2023-02-01', '2024-08-05', '2024-10-23'];
const all = [...old, ...region, '2025-03-12'];
const place = { provider: 'AWS', region: 'US_EAST_1', zoneId: id() } as const;

const kinds: Record<string, readonly [spec: ClusterSpec, versions: readonly string[], path?: string]> = {
  'a free cluster': [shared('M0'), all],
  'a flex cluster created by its size': [shared('M2'), all],
  'a replica set': [contract({ providerSettings: aws, labels: [{ key: 'a', value: 'b' }] }), all],
  'a replica set with autoscaling': [
    contract({
      autoScaling: { compute: { enabled: true, scaleDownEnabled: true }, diskGBEnabled: true },
      providerSettings: {
        ...aws,
        autoScaling: { compute: { minInstanceSize: 'M20', maxInstanceSize: 'M60' } },
      },
    }),
    all,
  ],
  'a replica set with fast volumes and backups': [
    contract({
      diskSizeGB: 200,
      pitEnabled: true,
      providerBackupEnabled: true,
      providerSettings: { ...aws, diskIOPS: 4000, volumeType: 'PROVISIONED' },
    }),
    all,
  ],
  'a replica set with a named disk type': [
    contract({
      providerSettings: { ...aws, providerName: 'AZURE', regionName: 'US_EAST_2', diskTypeName: 'P10' },
    }),
    all,
  ],
  'a sharded cluster': [contract({ clusterType: 'SHARDED', numShards: 3, providerSettings: aws }), all],
  'a global cluster': [
    contract({
      clusterType: 'GEOSHARDED',
      diskSizeGB: 100,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
      replicationSpecs: [zone('East', 'US_EAST_1'), zone('West', 'US_WEST_2')],
    }),
    all,
  ],
  'a cluster with two providers': [
    shards({
      clusterType: 'REPLICASET',
      replicationSpecs: [{ regionConfigs: [at('GCP', 'CENTRAL_US', 7, 2), at('AWS', 'US_EAST_1', 6, 1)] }],
    }),
    region,
  ],
  'a cluster with shards of different sizes': [
    shards({
      clusterType: 'SHARDED',
      replicationSpecs: [
        { regionConfigs: [at('AWS', 'US_EAST_1', 7, 3)] },
        { regionConfigs: [at('AWS', 'US_EAST_1', 7, 3, 'M40')] },
      ],
    }),
    region.slice(1),
  ],
  'a flex cluster': [
    fixedSizeSpec({ ...place, kind: 'flex', size: 'FLEX', settings: {} }),
    ['2024-11-13', '2025-03-12'],
    'flexClusters',
  ],
  'a serverless instance': [
    fixedSizeSpec({ ...place, kind: 'serverless', size: 'SERVERLESS', settings: {} }),
    all,
    'serverless',
  ],
};

for (const [kind, [spec, versions, path = 'clusters']] of Object.entries(kinds)) {
  test(`an update accepts the document of ${kind} as read, in each version`, async (t) => {
    const { store, groupId } = await openClusters(t, await emptyDatabase.sqlite(t));
    const made = { groupId, name: 'c', spec, host: 'host', mark: 'abcdef' };
    await store.write(async (tx) => {
      await updateCluster(tx, { ...(await addCluster(tx, made, system)), state: 'IDLE' });
    });
    const { send } = await clusterApi(t, store, groupId);
    for (const version of versions) {
      const read = await send(version, 'GET', `${path}/c`);
      assert.equal(read.statusCode, 200, `${version}: ${read.body}`);
      const sent = await send(version, 'PATCH', `${path}/c`, bodyOf(path, read.json()));
      assert.equal(sent.statusCode, 200, `${version}: ${sent.body}`);
      const again = await send(version, 'GET', `${path}/c`);
      assert.deepEqual(idle(again.json()), idle(read.json()), version);
    }
  });
}

const idle = (document: object) => ({ ...document, stateName: 'IDLE' });

/**
 * Returns the part of a document that an update accepts. For flex clusters and serverless instances, this is only two
 * fields.
 */
function bodyOf(path: string, document: Record<string, unknown>): object {
  if (path === 'clusters') return document;
  const { tags, terminationProtectionEnabled } = document;
  return { tags, terminationProtectionEnabled };
}
