import { derivedId } from '@portolan/foundation/derived-id';
import type { ClusterModel, ClusterSpec, RegionNodes, Volume, Zone } from '../../model/cluster.ts';
import type { EntryKind } from '../../model/expressible.ts';
import { shownCompatibility } from '../../model/servers.ts';
import { autoScalingOf } from '../../model/settings.ts';
import { connectorOf } from '../../rules/fields.ts';
import { defaultIops, volumeTypeOf } from '../../rules/volumes.ts';
import { carriedModel } from '../carried-model.ts';
import type { ClusterView } from '../contract/write.ts';
import { shownZoneId } from '../named-zones.ts';

/**
 * Returns a function that converts a view of a cluster to a shape with region configs. If a view contains no cluster,
 * the function returns the view unchanged.
 */
export const writeRegionConfigs = (kind: EntryKind) => (view: object) => {
  const cluster = carriedModel(view);
  if (cluster === undefined) return view;
  const { spec } = cluster;
  const { settings } = spec;
  const connector = connectorOf(spec);
  return {
    ...(view as ClusterView),
    // In recorded responses of these shapes, the value is in lower case. In the contract's shape, it has capitals.
    biConnector: { ...connector, readPreference: connector.readPreference.toLowerCase() },
    // Dialects can show another default.
    hasReadPreference: settings.biConnector?.readPreference !== undefined,
    backupEnabled: settings.providerBackupEnabled === true,
    featureCompatibilityVersion: shownCompatibility(cluster),
    ...(kind === 'zones' ? { diskSizeGB: spec.diskSizeGB } : {}),
    redactClientLogData: settings.redactClientLogData === true,
    replicationSpecs: spec.zones.flatMap((zone) => entriesOf(zone, kind, cluster)),
    // Dialects show the requested specifications.
    ...(kind === 'shards' && spec.requested && { requestedRegions: spec.requested }),
    ...(kind === 'shards' && spec.requestedSpecs && { requestedSpecs: spec.requestedSpecs }),
  };
};

function entriesOf(zone: Zone, kind: EntryKind, { spec }: ClusterModel): object[] {
  const place = { zoneId: shownZoneId(zone), zoneName: zone.name };
  if (kind === 'zones') {
    const { id, numShards } = zone;
    return [
      { ...place, id, numShards, regionConfigs: regionConfigs(zone.regions, spec.instanceSize, kind, spec) },
    ];
  }
  return Array.from({ length: zone.numShards }, (_, shard) => ({
    ...place,
    id: derivedId(`${zone.id} shard ${shard}`),
    regionConfigs: regionConfigs(
      zone.regions,
      zone.sizes?.[shard] ?? spec.instanceSize,
      kind,
      withVolume(spec, zone.volumes?.[shard]),
    ),
  }));
}

/** Returns the spec as if the whole cluster had the volume of one shard. */
function withVolume(spec: ClusterSpec, volume: Volume | undefined): ClusterSpec {
  if (volume === undefined) return spec;
  const { diskIOPS: _, volumeType: __, ...others } = spec;
  return { ...others, ...volume };
}

function regionConfigs(
  regions: readonly RegionNodes[],
  size: string,
  kind: EntryKind,
  spec: ClusterSpec,
): object[] {
  return regions.map((region) => {
    const { provider, region: regionName, priority } = region;
    if (spec.tenant) {
      const electableSpecs = { instanceSize: size, effectiveInstanceSize: size };
      return { backingProviderName: provider, electableSpecs, priority, providerName: 'TENANT', regionName };
    }
    const specs = (nodeCount: number, instanceSize: string) => ({
      ...(provider === 'AWS'
        ? { diskIOPS: spec.diskIOPS ?? defaultIops(spec.diskSizeGB), ebsVolumeType: volumeTypeOf(spec) }
        : {}),
      ...(provider === 'AZURE' && spec.diskIOPS !== undefined ? { diskIOPS: spec.diskIOPS } : {}),
      ...(kind === 'shards' ? { diskSizeGB: spec.diskSizeGB } : {}),
      instanceSize,
      nodeCount,
    });
    return {
      analyticsAutoScaling: analyticsScalingOf(spec),
      analyticsSpecs: specs(region.analytics, spec.analyticsSize ?? size),
      autoScaling: scalingOf(spec),
      electableSpecs: specs(region.electable, size),
      priority,
      providerName: provider,
      readOnlySpecs: specs(region.readOnly, size),
      regionName,
    };
  });
}

function scalingOf({ settings }: ClusterSpec): object {
  const { compute, diskGBEnabled } = autoScalingOf(settings);
  return { compute: { ...compute, ...settings.computeLimits }, diskGB: { enabled: diskGBEnabled } };
}

function analyticsScalingOf(spec: ClusterSpec): object {
  const { analyticsCompute } = spec.settings;
  if (analyticsCompute === undefined) return scalingOf(spec);
  const { compute } = autoScalingOf({ autoScaling: { compute: analyticsCompute } });
  return { ...scalingOf(spec), compute };
}
