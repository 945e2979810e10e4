import { isDeepStrictEqual } from 'node:util';
import type { ClusterSpec, RequestedRegion, Volume } from '../../model/cluster.ts';
import { autoScalingOf, mergeSettings } from '../../model/settings.ts';
import type { RegionConfigsBody } from '../carried.ts';
import { agreedScaling } from './agreed.ts';
import { readScaling, zoneNameOf } from './read.ts';
import type { HardwareSpec, RegionConfig, ShardsCluster } from './schema.ts';

/**
 * This file has the rules for requests whose sizes and disks, or whose whole `replicationSpecs`, the service keeps as
 * requested. Autoscaling changes only the current sizes and disks. As long as autoscaling is enabled, a new request does
 * not change them either, but its values are kept.
 */

type ShardsBody = RegionConfigsBody & { readonly body: ShardsCluster };
type Entry = NonNullable<ShardsCluster['replicationSpecs']>[number];

/** What a caller asks the service to keep. Sizes are kept only for clusters with one shard. */
export interface Keeping {
  readonly sizes: boolean;
  readonly specs: boolean;
}

/** Returns the body if the service keeps a part of it. */
export function keptBody(given: RegionConfigsBody | undefined, keeping: Keeping): ShardsBody | undefined {
  if (!isShardsBody(given)) return undefined;
  return keeping.specs || (keeping.sizes && entriesOf(given).length === 1) ? given : undefined;
}

function isShardsBody(given: RegionConfigsBody | undefined): given is ShardsBody {
  const { replicationSpecs = [] } = given?.body ?? {};
  if (given?.kind !== 'shards' || replicationSpecs.length === 0) return false;
  const regions = replicationSpecs.flatMap(({ regionConfigs }) => regionConfigs);
  return regions.every(({ providerName }) => providerName !== 'TENANT');
}

const entriesOf = ({ body }: ShardsBody): readonly Entry[] => body.replicationSpecs ?? [];

/** Returns the specification with what the body requests. */
export function withRequested(spec: ClusterSpec, given: ShardsBody, { specs }: Keeping): ClusterSpec {
  const entries = entriesOf(given);
  const [first, ...others] = entries;
  return {
    ...spec,
    ...(others.length === 0 && { requested: first?.regionConfigs.map(requestedRegion) }),
    ...(specs && { requestedSpecs: entries }),
  };
}

function requestedRegion(config: RegionConfig): RequestedRegion {
  const { providerName, regionName, electableSpecs, readOnlySpecs, analyticsSpecs } = config;
  return {
    providerName,
    regionName,
    ...(electableSpecs && { electableSpecs }),
    ...(readOnlySpecs && { readOnlySpecs }),
    ...(analyticsSpecs && { analyticsSpecs }),
  };
}

/**
 * Returns the specification after a request that the service does not keep. What an earlier request contained stays,
 * unless the nodes have changed. The whole `replicationSpecs` also contain the settings of autoscaling.
 */
export function withFormerRequest(spec: ClusterSpec, before: ClusterSpec): ClusterSpec {
  const { requested, requestedSpecs, ...others } = spec;
  if (!isDeepStrictEqual(nodesOf(spec), nodesOf(before))) return others;
  const isSame = isDeepStrictEqual(scalingOf(spec), scalingOf(before));
  return { ...others, ...(requested && { requested }), ...(isSame && requestedSpecs && { requestedSpecs }) };
}

function nodesOf(spec: ClusterSpec) {
  const { zones, instanceSize, analyticsSize, diskSizeGB, diskIOPS, volumeType } = spec;
  return { zones, instanceSize, analyticsSize, diskSizeGB, diskIOPS, volumeType };
}

function scalingOf({ settings }: ClusterSpec) {
  const { analyticsCompute, autoScaling, computeLimits } = settings;
  return { analyticsCompute, autoScaling, computeLimits };
}

/** Returns the body with the current sizes and disks, in place of the requested ones, of nodes that are scaled. */
export function withCurrentSizes(given: ShardsBody, before: ClusterSpec): RegionConfigsBody {
  const { replicationSpecs = [], ...body } = given.body;
  const regions = replicationSpecs.flatMap(({ regionConfigs }) => regionConfigs);
  const settings = mergeSettings(before.settings, readScaling(agreedScaling(regions)));
  const { compute, diskGBEnabled } = autoScalingOf(settings);
  const scaled = {
    base: compute.enabled || diskGBEnabled,
    analytics: diskGBEnabled || (settings.analyticsCompute ?? compute).enabled === true,
  };
  if (!scaled.base && !scaled.analytics) return given;
  const shards = replicationSpecs.map((entry, index) => {
    const name = zoneNameOf(entry);
    const place = replicationSpecs.slice(0, index).filter((other) => zoneNameOf(other) === name).length;
    const shard = currentShard(before, name, place);
    const scaledRegion = (config: RegionConfig) => withCurrent(config, shard, scaled);
    return { ...entry, regionConfigs: entry.regionConfigs.map(scaledRegion) };
  });
  return { ...given, body: { ...body, replicationSpecs: shards } };
}

interface Shard extends Volume {
  readonly size: string;
  readonly analyticsSize: string;
  readonly diskSizeGB: number;
}

/** Returns the hardware of a shard. A new shard has the hardware of the cluster. */
function currentShard(before: ClusterSpec, zoneName: string, place: number): Shard {
  const { diskIOPS, diskSizeGB, instanceSize, analyticsSize } = before;
  const zone = before.zones.find(({ name }) => name === zoneName);
  const size = zone?.sizes?.[place] ?? instanceSize;
  const volume = zone?.volumes?.[place] ?? { diskIOPS };
  return { diskIOPS: volume.diskIOPS, diskSizeGB, size, analyticsSize: analyticsSize ?? size };
}

function withCurrent(
  config: RegionConfig,
  shard: Shard,
  scaled: { readonly base: boolean; readonly analytics: boolean },
): RegionConfig {
  const { electableSpecs, readOnlySpecs, analyticsSpecs, ...others } = config;
  const current = (specs: HardwareSpec, size: string | undefined): HardwareSpec => ({
    ...(scaled.base ? withDiskOf(shard, specs) : specs),
    ...(size !== undefined && { instanceSize: size }),
  });
  const size = scaled.base ? shard.size : undefined;
  const analyticsSize = scaled.analytics ? shard.analyticsSize : undefined;
  return {
    ...others,
    ...(electableSpecs && { electableSpecs: current(electableSpecs, size) }),
    ...(readOnlySpecs && { readOnlySpecs: current(readOnlySpecs, size) }),
    ...(analyticsSpecs && { analyticsSpecs: current(analyticsSpecs, analyticsSize) }),
  };
}

/** Returns specifications of nodes with the present disk of the shard. */
function withDiskOf({ diskSizeGB, diskIOPS }: Shard, specs: HardwareSpec): HardwareSpec {
  const { diskIOPS: _, ...others } = specs;
  return { ...others, diskSizeGB, ...(diskIOPS !== undefined && { diskIOPS }) };
}
