import type { EngineName, ServerFact } from '@portolan/engine/interface/capabilities';
import type { RefusedArgument, ServerNames } from '@portolan/engine/interface/engine';
import type { FoundServers, ProcessArguments } from '@portolan/engine/management';
import type { Provider } from '../catalogue/regions.ts';
import { type InstanceSize, instanceSizes, tenantSizes } from '../catalogue/sizes.ts';
import { versionOf } from '../catalogue/versions.ts';
import type { ClusterSettings } from './settings.ts';
import type { ClusterState } from './states.ts';

/**
 * A cluster in a form that is independent of API versions: nodes by zone, region and provider. The bodies of all API
 * versions are converted from and to this form.
 */
export interface ClusterModel {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly created: Date;
  readonly paused: boolean;
  /** When the cluster was last resumed. */
  readonly resumed?: Date | undefined;
  readonly spec: ClusterSpec;
  /** Number of changes of `spec` and `paused`. A task for an older generation leaves the state unchanged. */
  readonly generation: number;
  readonly placement: Placement;
  /** The revision of the project's users and access list that the nodes enforce. */
  readonly accessRevision: number;
  /** Id of the engine host that runs the cluster. */
  readonly host: string;
}

export type ClusterType = 'REPLICASET' | 'SHARDED' | 'GEOSHARDED';

/** Only the vendor's form has volumes of the type HIGH_PERFORMANCE. */
export type VolumeType = 'STANDARD' | 'PROVISIONED' | 'HIGH_PERFORMANCE';

/** `flexBySize` is a flex cluster that was created as M2 or M5 by the cluster operations. */
export type ClusterKind = 'cluster' | 'flex' | 'flexBySize' | 'serverless';

export interface ClusterSpec {
  /** `cluster` by default. */
  readonly kind?: ClusterKind;
  readonly clusterType: ClusterType;
  readonly zones: readonly Zone[];
  readonly instanceSize: string;
  /** Size of the analytics nodes, if it differs from `instanceSize`. */
  readonly analyticsSize?: string;
  readonly tenant: boolean;
  readonly diskSizeGB: number;
  readonly diskIOPS?: number | undefined;
  readonly volumeType?: VolumeType | undefined;
  readonly majorVersion: string;
  /**
   * The nodes of each region as a request specified them, if the request asked the service to keep them. Scaling changes
   * the other fields only.
   */
  readonly requested?: readonly RequestedRegion[] | undefined;
  /** The whole `replicationSpecs` of a request, if the request asked the service to keep them. */
  readonly requestedSpecs?: readonly RequestedSpec[] | undefined;
  /** Whether the cluster was created as a replica set and later became sharded. */
  readonly wasReplicaSet?: boolean;
  /** Whether the shards have, or have had, individual sizes. */
  readonly independentShards?: boolean;
  /** Process arguments set by callers. */
  readonly arguments?: ServerArguments | undefined;
  /** The pinned feature compatibility version, which does not follow upgrades. */
  readonly pinned?: PinnedVersion | undefined;
  /** Access granted to employees of the operator. */
  readonly employeeAccess?: EmployeeAccess | undefined;
  /** Id of the task that last loaded the sample data. */
  readonly sampleLoad?: string | undefined;
  readonly settings: ClusterSettings;
}

/** Process arguments by API name. The value null means that an argument was reset to its default. */
export type ServerArguments = { readonly [Name in keyof ProcessArguments]?: ProcessArguments[Name] | null };

interface PinnedVersion {
  readonly version: string;
  /** The end of the pin: service time, ISO 8601. */
  readonly expires: string;
}

interface EmployeeAccess {
  readonly grantType: string;
  /** The end of the access: service time, ISO 8601. */
  readonly expirationTime: string;
}

export function isSharded({ clusterType }: Pick<ClusterSpec, 'clusterType'>): boolean {
  return clusterType !== 'REPLICASET';
}

/** Whether the cluster has the free size. A project may have one such cluster. */
export function isFree({ tenant, instanceSize }: ClusterSpec): boolean {
  return tenant && instanceSize === 'M0';
}

/** Returns the provider of the region with the highest priority in the first zone. */
export function firstProvider({ zones }: Pick<ClusterSpec, 'zones'>): Provider {
  return zones[0]?.regions[0]?.provider ?? 'AWS';
}

/** Returns the size of the first node. */
export function instanceSizeOf(
  spec: Pick<ClusterSpec, 'zones' | 'instanceSize' | 'tenant'>,
): InstanceSize | undefined {
  const { tenant, instanceSize } = spec;
  return tenant ? tenantSizes[instanceSize] : instanceSizes[firstProvider(spec)].get(instanceSize);
}

/** Whether the nodes have local disks, which have a fixed size and are lost with the node. */
export function hasLocalDisks(spec: Pick<ClusterSpec, 'zones' | 'instanceSize'>): boolean {
  return instanceSizes[firstProvider(spec)].get(spec.instanceSize)?.class === 'nvme';
}

/** The IOPS and the type of volumes, if they are not those of general-purpose volumes. */
export type Volume = Pick<ClusterSpec, 'diskIOPS' | 'volumeType'>;

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly numShards: number;
  /** Sizes of the individual shards, if one of them differs from the size of the cluster. */
  readonly sizes?: readonly string[];
  /** Volumes of the individual shards, if one of them differs from the volume of the cluster. */
  readonly volumes?: readonly Volume[];
  /** Regions by descending priority. */
  readonly regions: readonly RegionNodes[];
}

export interface RegionNodes {
  readonly provider: Provider;
  readonly region: string;
  readonly priority: number;
  readonly electable: number;
  readonly readOnly: number;
  readonly analytics: number;
}

/** A region and the specifications of its nodes, which contain only the fields that the request contained. */
export interface RequestedRegion {
  readonly providerName: string;
  readonly regionName: string;
  readonly electableSpecs?: RequestedNodes;
  readonly readOnlySpecs?: RequestedNodes;
  readonly analyticsSpecs?: RequestedNodes;
}

interface RequestedNodes {
  readonly diskIOPS?: number;
  readonly diskSizeGB?: number;
  readonly ebsVolumeType?: VolumeType;
  readonly instanceSize?: string;
  readonly nodeCount?: number;
}

/** An entry of `replicationSpecs`, which describes one shard and contains only the fields that the request contained. */
interface RequestedSpec {
  readonly zoneName?: string;
  readonly regionConfigs: ReadonlyArray<Pick<RequestedRegion, 'providerName' | 'regionName'>>;
}

/** The deployed members and the parts of their host names. */
export interface Placement {
  /** Six characters in the name of the replica set, fixed for each cluster. */
  readonly mark: string;
  readonly members: readonly PlacedMember[];
  /** Time of the last change of the members; absent before the first deployment. */
  readonly updated?: string;
  /** Whether the members also have names for custom DNS (docs/contract/api.md 2.5). */
  readonly ownNames?: boolean;
  /** Why the deployment cannot run. */
  readonly problem?: string;
  /**
   * Why the servers of an adopted deployment do not have the current users and roles. Absent once the servers have
   * them.
   */
  readonly accessProblem?: string;
  /**
   * The process arguments and the pinned version that the servers refuse, with the reasons. Absent if there are none.
   */
  readonly refusedArguments?: readonly RefusedArgument[];
  /**
   * The feature compatibility version that the service keeps on servers outside Portolan. After the end of a pin, it
   * stays until the servers have the version of their release again.
   */
  readonly keptCompatibility?: string;
  /** Ids of stopped members, by who stopped them. A member runs if it is in none of these lists. */
  readonly stopped?: Stops;
  /** The engine. Absent if it is the embedded engine, or if `found` contains it. */
  readonly engine?: EngineName;
  /** Settings of the engine on which capabilities depend. Absent if there are none. */
  readonly engineFacts?: readonly ServerFact[];
  /** The names and the version of the servers; absent if they are those of the specification. */
  readonly servers?: ServerNames;
  /**
   * The facts that the engine has found about servers outside Portolan. Absent for clusters whose members the service
   * creates.
   */
  readonly found?: FoundServers;
}

/** Who can stop members: the operator, or a simulated outage. */
export type Stopper = 'operator' | 'outage';
export type Stops = { readonly [By in Stopper]?: readonly string[] };

export interface PlacedMember {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

/** Returns the mark in the name of a replica set; undefined if the service has not named it. */
export const markIn = (replicaSet: string): string | undefined =>
  /^platform-([a-z0-9]{6})-shard-\d+$/.exec(replicaSet)?.[1];

function replicaSetName(mark: string, shard: number): string {
  return `platform-${mark}-shard-${shard}`;
}

/** Returns the name of the replica set of a shard; empty for a standalone server. */
export function setNameOf({ mark, found, servers }: Placement, shard: number): string {
  if (found !== undefined) return found.replicaSets[shard] ?? '';
  return servers?.replicaSets[shard] ?? replicaSetName(mark, shard);
}

/** Returns the version of the servers of a cluster. */
export function shownVersion({ spec, placement }: Pick<ClusterModel, 'spec' | 'placement'>): string {
  return placement.found?.version ?? placement.servers?.version ?? versionOf(spec.majorVersion);
}

/**
 * Returns the kind of config servers. It is `DEDICATED` for versions below 8.0, if a caller has requested it, or if the
 * cluster used to be a replica set. Otherwise it is `EMBEDDED`.
 */
export function configServers({
  majorVersion,
  settings,
  wasReplicaSet,
}: ClusterSpec): 'DEDICATED' | 'EMBEDDED' {
  const own = settings.configServerManagementMode === 'FIXED_TO_DEDICATED' || wasReplicaSet === true;
  return own || Number(majorVersion) < 8 ? 'DEDICATED' : 'EMBEDDED';
}

/**
 * Returns the names of the replica sets, each with the provider of its first region. Each shard is one replica set, and
 * so are dedicated config servers.
 */
export function replicaSetsOf({ spec, placement }: Pick<ClusterModel, 'spec' | 'placement'>) {
  const shards = spec.zones.flatMap(({ numShards, regions }) =>
    Array.from({ length: numShards }, () => regions[0]?.provider ?? firstProvider(spec)),
  );
  const sets = shards.map((provider, shard) => {
    return { replicaSetName: setNameOf(placement, shard), provider };
  });
  if (!isSharded(spec) || configServers(spec) === 'EMBEDDED') return sets;
  return [...sets, { replicaSetName: `platform-${placement.mark}-config-0`, provider: firstProvider(spec) }];
}
