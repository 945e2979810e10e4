import { expectFault } from './expect.ts';
import type { Setup } from './setups.ts';
import { clusterBody, idIn } from './stage.ts';

const V1 = '/api/service/v1.0';
const ATLAS = '/api/atlas/v2';
const place = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
const regionConfigs = [
  {
    electableSpecs: { instanceSize: 'M10', nodeCount: 3 },
    priority: 7,
    providerName: 'AWS',
    regionName: 'US_EAST_1',
  },
];
const inVersion = (date: string) => ({ accept: `application/vnd.atlas.${date}+json` });

/** Expects that no kind of cluster can be created with this name, in either form of the API. */
export async function expectDuplicate(setup: Setup, project: string, name: string): Promise<void> {
  const { owner } = setup;
  const own = { name, providerSettings: place };
  const zones = { name, clusterType: 'REPLICASET', replicationSpecs: [{ regionConfigs }] };
  const parameters = ['cluster or serverless instance', name, idIn(project)];
  for (const [path, body] of [
    [`${project}/clusters`, clusterBody(name, { providerBackupEnabled: true })],
    [`${V1}${project}/clusters`, clusterBody(name, { providerBackupEnabled: true })],
    [`${project}/flexClusters`, own],
    [`${project}/serverless`, own],
  ] as const)
    expectFault(await owner.post(path, body), 409, 'DUPLICATE_CLUSTER_NAME', parameters);
  for (const [family, body, date] of [
    ['clusters', zones, '2024-08-05'],
    ['flexClusters', own, '2024-11-13'],
    ['serverless', own, '2023-01-01'],
  ] as const) {
    const reply = await owner.post(`${ATLAS}${project}/${family}`, body, inVersion(date));
    expectFault(reply, 409, 'DUPLICATE_CLUSTER_NAME', parameters);
  }
}
