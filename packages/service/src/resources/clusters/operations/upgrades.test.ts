import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { system } from '../../../events/index.ts';
import type { Store } from '../../../store/index.ts';
import { addCluster } from '../lifecycle/changes.ts';
import type { ClusterSpec } from '../model/cluster.ts';
import { updateCluster } from '../rows.ts';
import { readFlexCluster } from '../shapes/flex.ts';
import { openClusters, readNewCluster } from '../testing.ts';
import { upgradeSharedCluster } from './clusters.ts';
import { upgradeFlexCluster } from './flex.ts';
import { upgradeToServerless } from './serverless.ts';

const NAME = 'ferry';
const OTHER = 'US_WEST_2';
const home = { backingProviderName: 'AWS', regionName: 'US_EAST_1' } as const;

/** Clusters in the region `OTHER` run on Kubernetes. */
const engines = {
  forNew: (_: string, region: string) => ({
    host: 'here',
    ...(region === OTHER && { engine: 'kubernetes' }),
  }),
};

const readShared = () => {
  const shared = { providerName: 'TENANT', instanceSizeName: 'M0', ...home } as const;
  return readNewCluster({ name: NAME, providerSettings: shared }, () => 'zone').spec;
};
const readFlex = () => readFlexCluster({ name: NAME, providerSettings: home }, 'zone').spec;

const upgrades: ReadonlyArray<
  readonly [{ readonly id: string; readonly handler: unknown }, () => ClusterSpec, object]
> = [
  [upgradeSharedCluster, readShared, { providerName: 'AWS', instanceSizeName: 'M10' }],
  [upgradeFlexCluster, readFlex, { providerName: 'AWS', instanceSizeName: 'M10' }],
  [upgradeToServerless, readShared, { providerName: 'SERVERLESS', backingProviderName: 'AWS' }],
];

/** Adds an idle cluster to a project. */
function addIdle(store: Store, groupId: string, spec: ClusterSpec) {
  return store.write(async (tx) => {
    const cluster = await addCluster(tx, { groupId, name: NAME, spec, host: 'host', mark: 'abcdef' }, system);
    await updateCluster(tx, { ...cluster, state: 'IDLE' });
  });
}

for (const [{ id, handler }, read, wanted] of upgrades)
  test(`${id} keeps a cluster on its engine`, async (t) => {
    const { store, groupId } = await openClusters(t, await emptyDatabase.sqlite(t));
    await addIdle(store, groupId, read());
    const upgrade = async (regionName: string) =>
      (handler as (call: object) => Promise<unknown>)({
        params: { groupId },
        body: { name: NAME, providerSettings: { ...wanted, regionName } },
        services: { engines, ids: { next: () => 'zone' }, naming: { tls: false } },
        write: store.write.bind(store),
        actor: system,
      });
    await assert.rejects(upgrade(OTHER), {
      code: 'REGION_OF_OTHER_ENGINE',
      parameters: [NAME, `AWS/${OTHER}`, 'kubernetes', 'embedded'],
    });
    await upgrade(home.regionName);
  });
