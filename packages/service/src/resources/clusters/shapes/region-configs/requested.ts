import { isDeepStrictEqual } from 'node:util';
import type { ClusterSpec, RequestedRegion } from '../../model/cluster.ts';
import { autoScalingOf, mergeSettings } from '../../model/settings.ts';
import type { RegionConfigsBody } from '../carried.ts';
import { agreedScaling } from './agreed.ts';
import { readScaling } from './read.ts';
import type { HardwareSpec, RegionConfig, ShardsCluster } from './schema.ts';

/**
 * This file has the rules for requests whose sizes and disks the service keeps as requested. Autoscaling changes only
 * the current sizes and disks. As long as autoscaling is enabled, a new request does not change them either, but its
 * values are kept. Clusters with several shards keep no request.
 */

type ShardsBody = RegionConfigsBody & { readonly body: ShardsCluster };

/** Whether the service can keep the request: the body describes the only shard of a cluster. */
export function isKept(given: RegionConfigsBody | undefined): given is ShardsBody {
  const { replicationSpecs = [] } = given?.body ?? {};
  const [first, ...others] = replicationSpecs;
  if (given?.kind !== 'shards' || first === undefined || others.length > 0) return false;
  return first.regionConfigs.every(({ providerName }) => providerName !== 'TENANT');
}

/** Returns the specification with the sizes and disks that the body requests. */
export function withRequested(spec: ClusterSpec, { body }: ShardsBody): ClusterSpec {
  const regions = body.replicationSpecs?.flatMap(({ regionConfigs }) => regionConfigs) ?? [];
  return { ...spec, requested: regions.map(requestedRegion) };
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
 * Returns the specification after a request that the service does not keep. The requested sizes and disks of an earlier
 * request stay, unless the nodes have changed.
 */
export function withFormerRequest(spec: ClusterSpec, before: ClusterSpec): ClusterSpec {
  const { requested, ...others } = spec;
  if (requested === undefined || isDeepStrictEqual(nodesOf(spec), nodesOf(before))) return spec;
  return others;
}

function nodesOf(spec: ClusterSpec) {
  const { zones, instanceSize, analyticsSize, diskSizeGB, diskIOPS, volumeType } = spec;
  return { zones, instanceSize, analyticsSize, diskSizeGB, diskIOPS, volumeType };
}

/** Returns the body with the current sizes and disks, in place of the requested ones, of nodes that are scaled. */
export function withCurrentSizes(given: ShardsBody, before: ClusterSpec): RegionConfigsBody {
  const { replicationSpecs = [], ...body } = given.body;
  const regions = replicationSpecs.flatMap(({ regionConfigs }) => regionConfigs);
  const settings = mergeSettings(before.settings, readScaling(agreedScaling(regions)));
  const { compute, diskGBEnabled } = autoScalingOf(settings);
  const isScaled = compute.enabled || diskGBEnabled;
  const isAnalyticsScaled = diskGBEnabled || (settings.analyticsCompute ?? compute).enabled === true;
  if (!isScaled && !isAnalyticsScaled) return given;
  const current = (specs: HardwareSpec, size: string | undefined): HardwareSpec => ({
    ...(isScaled ? withDiskOf(before, specs) : specs),
    ...(size !== undefined && { instanceSize: size }),
  });
  const size = isScaled ? before.instanceSize : undefined;
  const analyticsSize = isAnalyticsScaled ? (before.analyticsSize ?? before.instanceSize) : undefined;
  const region = ({ electableSpecs, readOnlySpecs, analyticsSpecs, ...config }: RegionConfig) => ({
    ...config,
    ...(electableSpecs && { electableSpecs: current(electableSpecs, size) }),
    ...(readOnlySpecs && { readOnlySpecs: current(readOnlySpecs, size) }),
    ...(analyticsSpecs && { analyticsSpecs: current(analyticsSpecs, analyticsSize) }),
  });
  const specs = replicationSpecs.map((spec) => ({ ...spec, regionConfigs: spec.regionConfigs.map(region) }));
  return { ...given, body: { ...body, replicationSpecs: specs } };
}

/** Returns specifications of nodes with the present disk of the cluster. */
function withDiskOf({ diskSizeGB, diskIOPS }: ClusterSpec, specs: HardwareSpec): HardwareSpec {
  const { diskIOPS: _, ...others } = specs;
  return { ...others, diskSizeGB, ...(diskIOPS !== undefined && { diskIOPS }) };
}
