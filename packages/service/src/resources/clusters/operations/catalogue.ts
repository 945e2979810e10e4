import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Links, readOnly } from '../../../api/fields.ts';
import { pageOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { defaultRegion, type Provider, providers, regions } from '../catalogue/regions.ts';
import { instanceSizes, notOffered, sizeNames, tenantSizes } from '../catalogue/sizes.ts';
import { DEFAULT_MAJOR_VERSION, majorVersions } from '../catalogue/versions.ts';
import { requireCluster } from '../require.ts';

/** These operations return the regions, sizes and database versions that the service offers. */

const ProviderRegions = entity(
  Type.Object(
    {
      instanceSizes: readOnly(
        Type.Array(
          Type.Object({
            availableRegions: readOnly(
              Type.Array(
                Type.Object({
                  default: Type.Boolean({
                    description: 'Whether this is the default region of the provider.',
                  }),
                  name: Type.String(),
                }),
              ),
            ),
            name: Type.String(),
          }),
        ),
      ),
      links: Links,
      provider: Choice(providers),
    },
    { description: 'The instance sizes of a cloud provider, and the regions of each size.' },
  ),
  { name: 'providerRegions', self: 'listCloudProviderRegions', params: () => ({}) },
);

export const listRegions = operation({
  id: 'listCloudProviderRegions',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/clusters/provider/regions',
  summary: 'Lists the instance sizes of each cloud provider, and the regions of each size.',
  access: 'Project Read Only',
  query: Type.Object({
    providers: Type.Optional(
      Type.Array(Choice(providers), {
        description:
          'Returns only these providers. If you list several, the response contains only sizes that multi-cloud clusters can have.',
      }),
    ),
    tier: Type.Optional(
      Choice(sizeNames, { description: 'Returns only this instance size, such as `M10`.' }),
    ),
  }),
  reply: ProviderRegions,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'providerRegions' },
  async handler({ query, page }) {
    const requested = query.providers ?? [];
    const named = providers.filter((provider) => requested.length === 0 || requested.includes(provider));
    const several = requested.length > 1;
    const rows = named.map((provider) => ({
      provider,
      instanceSizes: sizesOf(provider, query.tier, several),
    }));
    return pageOf(rows, page);
  },
});

function sizesOf(provider: Provider, tier: string | undefined, several: boolean) {
  const shared = several ? [] : Object.values(tenantSizes);
  const all = [...shared, ...instanceSizes[provider].values()];
  return all
    .filter(({ name, multiCloud }) => (tier === undefined || name === tier) && (!several || multiCloud))
    .map((size) => ({ name: size.name, availableRegions: regionsOf(provider, size) }));
}

function regionsOf(provider: Provider, size: { readonly name: string; readonly class: string }) {
  const missing = notOffered[provider][size.name] ?? [];
  return [...regions[provider].values()]
    .filter((region) => region.generallyOffered && !missing.includes(region.name))
    .filter((region) => size.class !== 'tenant' || region.sharedTier)
    .map(({ name }) => ({ name, default: name === defaultRegion[provider] }));
}

const AvailableVersion = entity(
  Type.Object({
    cloudProvider: Choice(providers),
    defaultStatus: Choice(['DEFAULT', 'NOT_DEFAULT'], {
      description: '`DEFAULT` if new clusters get this version by default, otherwise `NOT_DEFAULT`.',
    }),
    instanceSize: Type.String(),
    links: Links,
    version: Type.String(),
  }),
  { name: 'availableVersion', self: 'getProjectLtsVersions', params: () => ({}) },
);

export const listVersions = operation({
  id: 'getProjectLtsVersions',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/dbVersions',
  summary: 'Lists the database versions available for new clusters of a project.',
  access: 'Project Read Only',
  query: Type.Object({
    cloudProvider: Type.Optional(
      Choice(providers, { description: 'Returns only versions at this cloud provider.' }),
    ),
    defaultStatus: Type.Optional(
      Choice(['DEFAULT'], { description: 'Returns only the version that new clusters get by default.' }),
    ),
    instanceSize: Type.Optional(
      Choice(sizeNames, { description: 'Returns only versions for this instance size.' }),
    ),
  }),
  reply: AvailableVersion,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'dbVersions' },
  async handler({ query, page }) {
    const rows = providers
      .filter((provider) => query.cloudProvider === undefined || provider === query.cloudProvider)
      .flatMap((cloudProvider) => versionsAt(cloudProvider))
      .filter(({ instanceSize }) => query.instanceSize === undefined || instanceSize === query.instanceSize)
      .filter(
        ({ defaultStatus }) => query.defaultStatus === undefined || defaultStatus === query.defaultStatus,
      );
    return pageOf(rows, page);
  },
});

function versionsAt(cloudProvider: Provider) {
  const shared = Object.keys(tenantSizes).map((size) =>
    versionRow(cloudProvider, size, DEFAULT_MAJOR_VERSION),
  );
  const dedicated = [...instanceSizes[cloudProvider].keys()].flatMap((size) =>
    majorVersions.map((version) => versionRow(cloudProvider, size, version)),
  );
  return [...shared, ...dedicated];
}

function versionRow(cloudProvider: Provider, instanceSize: string, version: string) {
  const defaultStatus = version === DEFAULT_MAJOR_VERSION ? ('DEFAULT' as const) : ('NOT_DEFAULT' as const);
  return { cloudProvider, defaultStatus, instanceSize, version };
}

const AutoScalingMode = entity(
  Type.Object({
    autoScalingMode: Choice(['CLUSTER_WIDE_SCALING', 'INDEPENDENT_SHARD_SCALING']),
    links: Links,
  }),
  { name: 'autoScalingMode', self: 'autoScalingConfiguration', params: () => ({}) },
);

export const getAutoScalingMode = operation({
  id: 'autoScalingConfiguration',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/autoScalingConfiguration',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary:
    'Returns how autoscaling changes the size of the shards of a cluster: all shards together, or each shard independently.',
  access: 'Project Read Only',
  reply: AutoScalingMode,
  status: 200,
  reachedFrom: { cluster: 'autoScalingConfiguration' },
  handler: (call) =>
    call.read(async (tx) => {
      const { spec } = await requireCluster(tx, call.params);
      const autoScalingMode = spec.independentShards ? 'INDEPENDENT_SHARD_SCALING' : 'CLUSTER_WIDE_SCALING';
      return { autoScalingMode } as const;
    }),
});
