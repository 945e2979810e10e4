import { isDeepStrictEqual } from 'node:util';
import { badValue } from '../../../../api/faults.ts';
import type { ClusterSpec, ClusterType, RegionNodes, Volume, Zone } from '../../model/cluster.ts';
import type { EntryKind } from '../../model/expressible.ts';
import { clusterFaults } from '../../model/faults.ts';
import { type ClusterSettings, settingsIn } from '../../model/settings.ts';
import type { RegionConfigsBody } from '../carried.ts';
import { checkRegions, knownRegion } from '../contract/regions.ts';
import { checkOffered, checkZones } from '../contract/zones.ts';
import { zoneIds } from '../zone-ids.ts';
import { agreedScaling } from './agreed.ts';
import { type Hardware, providerOf, readHardwareOf, readVolumesOf, sizeOf } from './hardware.ts';
import type { RegionConfig, RegionConfigsCluster, ReplicationEntry } from './schema.ts';

/** The nodes and hardware that `replicationSpecs` specifies. */
export interface Topology extends Hardware, Volume {
  readonly zones: readonly Zone[];
  readonly independentShards?: boolean;
  readonly scaling: ClusterSettings;
}

export function readTopology(
  { kind, body }: RegionConfigsBody,
  clusterType: ClusterType,
  newId: () => string,
  before?: ClusterSpec,
): Topology {
  const specs: readonly ReplicationEntry[] = body.replicationSpecs ?? [];
  const disk = 'diskSizeGB' in body ? body.diskSizeGB : undefined;
  const hardware = readHardwareOf(specs, disk, before);
  const volumes = readVolumesOf(specs, hardware, { kind, body });
  const [volume = {}] = volumes;
  const groups = groupByZone(specs, kind);
  const named = groups.map(({ entries: [first] }) => idOf(first, kind));
  const ids = before === undefined ? groups.map(newId) : zoneIds(named, before.zones, newId);
  const zones = groups.map(({ name, entries }, index) => {
    const [first] = entries;
    const regions = readRegionConfigs(first?.regionConfigs ?? []);
    for (const { regionConfigs } of entries.slice(1)) checkSame(regions, readRegionConfigs(regionConfigs));
    const isShard = kind === 'shards';
    const shardSizes = entries.map((entry) => sizeOf(entry.regionConfigs));
    const sizes = isShard ? uneven(hardware.instanceSize, shardSizes) : undefined;
    const shardVolumes = uneven(
      volume,
      entries.map((entry) => volumes[specs.indexOf(entry)]),
    );
    return {
      id: ids[index] ?? newId(),
      name,
      numShards: isShard ? entries.length : shardsOf(first),
      regions,
      ...(sizes && { sizes }),
      ...(shardVolumes && { volumes: shardVolumes }),
    };
  });
  checkZones(zones, clusterType);
  checkSizes(zones, hardware);
  const independent = zones.some(({ sizes, volumes: own }) => (sizes ?? own) !== undefined);
  return {
    ...hardware,
    ...volume,
    zones,
    ...(independent ? { independentShards: true } : {}),
    scaling: readScaling(agreedScaling(specs.flatMap(({ regionConfigs }) => regionConfigs))),
  };
}

/** Returns the values of individual shards; undefined if all of them equal the value of the cluster. */
function uneven<Value>(common: Value, given: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const values = given.map((value) => value ?? common);
  return values.every((value) => isDeepStrictEqual(value, common)) ? undefined : values;
}

/** Returns the id of the entry's zone. Undefined in the shape whose entries represent shards. */
function idOf(entry: ReplicationEntry | undefined, kind: EntryKind): string | undefined {
  return kind === 'zones' && entry !== undefined && 'id' in entry ? entry.id : undefined;
}

function shardsOf(entry: ReplicationEntry | undefined): number {
  return entry !== undefined && 'numShards' in entry ? (entry.numShards ?? 1) : 1;
}

/** Returns the zone of an entry that represents a shard. */
export const zoneNameOf = ({ zoneName = 'Zone 1' }: Pick<ReplicationEntry, 'zoneName'>): string => zoneName;

interface NamedEntries {
  readonly name: string;
  readonly entries: readonly ReplicationEntry[];
}

/**
 * Groups entries by zone name. Entries without a name form a single zone if entries are shards, or separate zones if
 * entries are zones.
 */
function groupByZone(specs: readonly ReplicationEntry[], kind: EntryKind): NamedEntries[] {
  const groups = new Map<string, ReplicationEntry[]>();
  for (const [index, spec] of specs.entries()) {
    const name = kind === 'shards' ? zoneNameOf(spec) : (spec.zoneName ?? `Zone ${index + 1}`);
    if (kind === 'zones' && groups.has(name)) throw clusterFaults.DUPLICATE_ZONE_NAME();
    groups.set(name, [...(groups.get(name) ?? []), spec]);
  }
  return [...groups].map(([name, entries]) => ({ name, entries }));
}

function readRegionConfigs(configs: readonly RegionConfig[]): RegionNodes[] {
  const regions = configs.map((config) => {
    const tenant = config.providerName === 'TENANT';
    const provider = providerOf(config);
    return {
      provider,
      region: tenant ? config.regionName : knownRegion(config.regionName, provider),
      priority: config.priority ?? (tenant ? 7 : 0),
      electable: tenant ? 3 : (config.electableSpecs?.nodeCount ?? 0),
      readOnly: config.readOnlySpecs?.nodeCount ?? 0,
      analytics: config.analyticsSpecs?.nodeCount ?? 0,
    };
  });
  const increases = regions.some(
    ({ priority }, index) => priority > (regions[index - 1]?.priority ?? priority),
  );
  if (increases) throw badValue('priority', 'must not increase from one region to the next');
  return checkRegions(regions);
}

function checkSame(first: readonly RegionNodes[], other: readonly RegionNodes[]): void {
  if (JSON.stringify(first) === JSON.stringify(other)) return;
  throw clusterFaults.INVALID_CLUSTER_CONFIGURATION(
    'the shards of a zone must have the same regions and nodes',
  );
}

/**
 * Throws unless every region offers every size. If there are several providers, every size must be available in
 * multi-cloud clusters.
 */
function checkSizes(zones: readonly Zone[], hardware: Hardware): void {
  const sizes = new Set([hardware.instanceSize, ...zones.flatMap((zone) => zone.sizes ?? [])]);
  for (const instanceSize of sizes) {
    for (const { provider, region } of zones.flatMap((zone) => zone.regions)) {
      checkOffered({ provider, instanceSize, tenant: hardware.tenant }, region);
    }
  }
}

export function readScaling(agreed: ReturnType<typeof agreedScaling>): ClusterSettings {
  const { autoScaling, analyticsCompute, hasAnalyticsScaling } = agreed;
  const analytics = {
    ...(analyticsCompute ? { analyticsCompute: withoutEmpty(analyticsCompute) } : {}),
    ...(hasAnalyticsScaling ? { hasAnalyticsScaling } : {}),
  };
  if (autoScaling === undefined) return analytics;
  const { compute = {}, diskGB } = autoScaling;
  const { minInstanceSize, maxInstanceSize, ...switches } = compute;
  const limits = {
    ...(minInstanceSize === undefined ? {} : { minInstanceSize }),
    ...(maxInstanceSize === undefined ? {} : { maxInstanceSize }),
  };
  const { enabled = false, scaleDownEnabled = false } = switches;
  return {
    autoScaling: {
      compute: { ...switches, enabled, scaleDownEnabled },
      diskGBEnabled: diskGB?.enabled ?? false,
    },
    ...(limits.minInstanceSize || limits.maxInstanceSize ? { computeLimits: limits } : {}),
    ...analytics,
  };
}

/** Removes sizes without a value. */
function withoutEmpty<T extends object>(compute: T): T {
  return Object.fromEntries(Object.entries(compute).filter(([, value]) => value !== '')) as T;
}

/** Returns the settings of a body, without the topology. In these shapes, `backupEnabled` means cloud backups. */
export function regionConfigsSettings({ backupEnabled, ...body }: RegionConfigsCluster): ClusterSettings {
  return {
    ...settingsIn(body),
    ...(backupEnabled === undefined ? {} : { providerBackupEnabled: backupEnabled }),
  };
}
