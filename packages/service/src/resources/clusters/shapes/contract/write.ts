import type { HostNaming } from '../../../services.ts';
import {
  type ClusterModel,
  type ClusterSpec,
  configServers,
  firstProvider,
  hasLocalDisks,
  isSharded,
  type RegionNodes,
  shownVersion,
} from '../../model/cluster.ts';
import { isFlex, kindOf } from '../../model/kinds.ts';
import { shownCompatibility } from '../../model/servers.ts';
import { advancedConfigurationOf, autoScalingOf } from '../../model/settings.ts';
import { connectorOf } from '../../rules/fields.ts';
import { defaultIops, diskTypeOf, volumeTypeOf } from '../../rules/volumes.ts';
import { carryModel } from '../carried-model.ts';
import { connectionTexts } from '../connection-strings.ts';
import type { Cluster } from './schema.ts';

/** A cluster without links. The HTTP layer adds them. */
export type ClusterView = Omit<Cluster, 'links'>;

/**
 * Presents a cluster in the contract's shape (docs/contract/api.md 2.15), with defaults for values that are not set.
 */
export function writeCluster(cluster: ClusterModel, naming: HostNaming): ClusterView {
  const { spec } = cluster;
  const shards = spec.zones.reduce((sum, zone) => sum + zone.numShards, 0);
  const [first] = spec.zones;
  const view: ClusterView = {
    ...shownSettings(spec),
    autoScaling: autoScalingOf(spec.settings),
    biConnector: connectorOf(spec),
    ...connectionTexts(cluster, naming),
    clusterType: spec.clusterType,
    createDate: cluster.created,
    dbMajorVersion: spec.majorVersion,
    dbVersion: shownVersion(cluster),
    diskSizeGB: spec.diskSizeGB,
    featureCompatibilityVersion: shownCompatibility(cluster),
    ...(spec.pinned ? { featureCompatibilityVersionExpirationDate: spec.pinned.expires } : {}),
    ...(spec.employeeAccess ? { dbEmployeeAccessGrant: spec.employeeAccess } : {}),
    groupId: cluster.groupId,
    id: cluster.id,
    name: cluster.name,
    numShards: shards,
    paused: cluster.paused,
    providerSettings: providerSettings(spec),
    replicationFactor: first ? electableNodes(first.regions) : 3,
    replicationSpec: first ? regionsConfig(first.regions) : {},
    replicationSpecs: spec.zones.map((zone) => ({
      id: zone.id,
      numShards: zone.numShards,
      regionsConfig: regionsConfig(zone.regions),
      zoneName: zone.name,
    })),
    stateName: cluster.state,
  };
  return carryModel(view, cluster);
}

/**
 * Returns the settings that have the same name in the model and in this shape. Omits settings that this kind of cluster
 * does not have.
 */
function shownSettings(spec: ClusterSpec): Partial<Cluster> {
  const { computeLimits, redactClientLogData, serverlessBackupOptions, ...others } = spec.settings;
  const { advancedConfiguration, configServerManagementMode = 'PLATFORM_MANAGED', ...shared } = others;
  return {
    ...shared,
    ...(spec.tenant ? {} : { advancedConfiguration: advancedConfigurationOf(spec.settings) }),
    ...(isSharded(spec) ? { configServerManagementMode, configServerType: configServers(spec) } : {}),
  };
}

function providerSettings(spec: ClusterSpec): NonNullable<Cluster['providerSettings']> {
  const regions = spec.zones.flatMap((zone) => zone.regions);
  const provider = firstProvider(spec);
  const names = new Set(regions.map((region) => region.region));
  // If all nodes are in one region, repeat the region's name here. The legacy shape of multi-region clusters has no
  // such field.
  const place = names.size === 1 ? { regionName: [...names][0] ?? '' } : {};
  if (spec.tenant) {
    return {
      providerName: 'TENANT',
      backingProviderName: provider,
      instanceSizeName: spec.instanceSize,
      effectiveInstanceSizeName: isFlex(kindOf(spec)) ? 'FLEX' : spec.instanceSize,
      ...place,
    };
  }
  return {
    ...limitsOf(spec),
    providerName: provider,
    instanceSizeName: spec.instanceSize,
    ...place,
    ...(provider === 'AWS'
      ? {
          diskIOPS: spec.diskIOPS ?? defaultIops(spec.diskSizeGB),
          encryptEBSVolume: true,
          volumeType: volumeTypeOf(spec),
        }
      : {}),
    ...(provider === 'AZURE' && !hasLocalDisks(spec) ? { diskTypeName: diskTypeOf(spec.diskSizeGB) } : {}),
    ...(provider === 'AZURE' && spec.diskIOPS !== undefined ? { diskIOPS: spec.diskIOPS } : {}),
  };
}

/** Returns the limits of compute autoscaling, if set. */
function limitsOf({ settings: { computeLimits } }: ClusterSpec) {
  return computeLimits === undefined ? {} : { autoScaling: { compute: computeLimits } };
}

function electableNodes(regions: readonly RegionNodes[]): number {
  return regions.reduce((sum, region) => sum + region.electable, 0);
}

function regionsConfig(regions: readonly RegionNodes[]) {
  return Object.fromEntries(
    regions.map((region) => [
      region.region,
      {
        analyticsNodes: region.analytics,
        electableNodes: region.electable,
        priority: region.priority,
        readOnlyNodes: region.readOnly,
      },
    ]),
  );
}
