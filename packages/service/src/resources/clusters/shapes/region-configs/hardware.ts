import { badValue, generalFaults } from '../../../../api/faults.ts';
import { type Provider, providers } from '../../catalogue/regions.ts';
import { type InstanceSize, instanceSizes, tenantSizes } from '../../catalogue/sizes.ts';
import type { ClusterSpec, Volume } from '../../model/cluster.ts';
import type { EntryKind } from '../../model/expressible.ts';
import { clusterFaults } from '../../model/faults.ts';
import { readVolume } from '../../rules/volumes.ts';
import { readDisk } from '../contract/hardware.ts';
import { agreedVolume, specsOf } from './agreed.ts';
import type { HardwareSpec, RegionConfig, RegionConfigsCluster, ReplicationEntry } from './schema.ts';

/** Size and disk of the nodes. */
export type Hardware = Pick<ClusterSpec, 'instanceSize' | 'analyticsSize' | 'tenant' | 'diskSizeGB'>;

export function readHardwareOf(
  specs: readonly ReplicationEntry[],
  disk: number | undefined,
  before: ClusterSpec | undefined,
): Hardware {
  const regions = specs.flatMap(({ regionConfigs }) => regionConfigs);
  const [first] = regions;
  if (first === undefined) throw clusterFaults.REPLICATION_SPECS_INVALID('at least one region is required');
  const tenant = first.providerName === 'TENANT';
  for (const region of regions) checkKnown(region, tenant);
  for (const { regionConfigs } of specs) checkAlike(regionConfigs);
  const electable: readonly HardwareSpec[] = regions.flatMap(({ electableSpecs }) => electableSpecs ?? []);
  const instanceSize = electable.find((spec) => spec.instanceSize)?.instanceSize ?? before?.instanceSize;
  if (instanceSize === undefined)
    throw generalFaults.MISSING_ATTRIBUTE(electable.length === 0 ? 'electableSpecs' : 'instanceSize');
  const size = sizeIn(regions, instanceSize, tenant);
  const analyticsSize = analyticsSizeIn(specs, instanceSize);
  if (analyticsSize !== undefined) sizeIn(regions, analyticsSize, tenant);
  return {
    instanceSize,
    ...(analyticsSize !== undefined && { analyticsSize }),
    tenant,
    diskSizeGB: diskOf(regions, disk, size, before),
  };
}

/** Returns the size of the analytics nodes. Undefined if it equals the size of the other nodes in every entry. */
function analyticsSizeIn(specs: readonly ReplicationEntry[], instanceSize: string): string | undefined {
  const sizes = specs.map(({ regionConfigs }) => {
    const nodes = regionConfigs.find(({ analyticsSpecs }) => (analyticsSpecs?.nodeCount ?? 0) > 0);
    const size = nodes?.analyticsSpecs?.instanceSize;
    return size === (sizeOf(regionConfigs) ?? instanceSize) ? undefined : size;
  });
  return sizes.find((size) => size !== undefined);
}

/** A body in a shape with region configs. Dialects set `ignoresFixedIops` (see `readVolume`). */
type VolumesBody = RegionConfigsCluster & { readonly ignoresFixedIops?: boolean };

/**
 * Returns the volume of the nodes in each entry. Entries that are shards can have different volumes. If an entry names
 * no volume, it has the volume of the first entry that does.
 */
export function readVolumesOf(
  specs: readonly ReplicationEntry[],
  { instanceSize, diskSizeGB, tenant }: Hardware,
  { kind, body }: { readonly kind: EntryKind; readonly body: VolumesBody },
): Volume[] {
  const { ignoresFixedIops } = body;
  const groups = specs.map(({ regionConfigs }) => regionConfigs);
  const isNaming = (regions: readonly RegionConfig[]) =>
    regions.some((one) => specsOf(one).some(namesVolume));
  const all = groups.flat();
  const naming = groups.find(isNaming) ?? all;
  return groups.map((own) => {
    const regions = kind === 'zones' ? all : isNaming(own) ? own : naming;
    const { diskIOPS, ebsVolumeType: volumeType } = agreedVolume(regions);
    const region = regions.find((one) => isNaming([one])) ?? regions[0];
    if (region === undefined) return {};
    const provider = providerOf(region);
    const size = knownSize(provider, sizeOf(own) ?? instanceSize, tenant);
    return readVolume({ diskIOPS, volumeType }, { provider, size, diskSizeGB, ignoresFixedIops });
  });
}

/** Returns the size of the electable nodes in an entry, if it names one. */
export function sizeOf(regions: readonly RegionConfig[]): string | undefined {
  return regions.find(({ electableSpecs }) => electableSpecs?.instanceSize)?.electableSpecs?.instanceSize;
}

function namesVolume({ diskIOPS, ebsVolumeType, nodeCount }: HardwareSpec): boolean {
  return nodeCount !== 0 && (diskIOPS ?? ebsVolumeType) !== undefined;
}

export function providerOf({ providerName, backingProviderName }: RegionConfig): Provider {
  if (providerName !== 'TENANT' && backingProviderName !== undefined) {
    throw badValue('backingProviderName', 'is allowed only with the provider TENANT');
  }
  const name = providerName === 'TENANT' ? backingProviderName : providerName;
  const provider = providers.find((each) => each === name);
  if (provider === undefined) throw generalFaults.MISSING_ATTRIBUTE('backingProviderName');
  return provider;
}

/** Throws unless the electable and read-only nodes of a shard have the same size. */
function checkAlike(regionConfigs: readonly RegionConfig[]): void {
  const sizes = regionConfigs.flatMap(({ electableSpecs, readOnlySpecs }) =>
    [electableSpecs, readOnlySpecs].flatMap((spec) =>
      (spec?.nodeCount ?? 1) > 0 ? (spec?.instanceSize ?? []) : [],
    ),
  );
  if (new Set(sizes).size <= 1) return;
  throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
    'electable and read-only nodes of a shard must have the same size',
  );
}

/**
 * Throws if a provider does not offer the size, or if there are several providers and the size is not available in
 * multi-cloud clusters.
 */
function sizeIn(regions: readonly RegionConfig[], name: string, tenant: boolean): InstanceSize {
  const providers = [...new Set(regions.map(providerOf))];
  const sizes = providers.map((provider) => knownSize(provider, name, tenant));
  const [first] = sizes;
  if (first === undefined || (sizes.length > 1 && !sizes.every(({ multiCloud }) => multiCloud))) {
    throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(`the size ${name} cannot span several providers`);
  }
  return first;
}

/** Throws unless the provider offers the size of every kind of node, even if the region has no nodes of that kind. */
function checkKnown(region: RegionConfig, tenant: boolean): void {
  for (const { instanceSize } of specsOf(region)) {
    if (instanceSize !== undefined) knownSize(providerOf(region), instanceSize, tenant);
  }
}

function knownSize(provider: Provider, name: string, tenant: boolean): InstanceSize {
  const size = tenant ? tenantSizes[name] : instanceSizes[provider].get(name);
  if (size === undefined) throw generalFaults.INVALID_ENUM_VALUE(name).at('instanceSize');
  return size;
}

function diskOf(
  regions: readonly RegionConfig[],
  disk: number | undefined,
  size: InstanceSize,
  before: ClusterSpec | undefined,
): number {
  const named = regions.flatMap(specsOf).flatMap((spec) => spec.diskSizeGB ?? []);
  if (new Set(named).size > 1) throw clusterFaults.DISK_SIZE_GB_INCONSISTENT();
  return readDisk(disk ?? named[0] ?? before?.diskSizeGB, size);
}
