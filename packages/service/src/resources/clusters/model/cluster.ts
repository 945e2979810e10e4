import type { ProcessArguments } from '@portolan/engine/management';
import type { Provider } from '../catalogue/regions.ts';
import { type InstanceSize, instanceSizes, tenantSizes } from '../catalogue/sizes.ts';
import type { ClusterSettings } from './settings.ts';
import type { ClusterState } from './states.ts';

/**
 * A cluster apart from any body shape: nodes by zone, region and provider. Every version's shape is written from this
 * and read into it.
 */
export interface ClusterModel {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly created: Date;
  readonly paused: boolean;
  /** When it was last resumed. */
  readonly resumed?: Date | undefined;
  readonly spec: ClusterSpec;
  /** Counts the changes of `spec` and `paused`; a task that applied an older one leaves the state alone. */
  readonly generation: number;
  readonly placement: Placement;
  /** The revision of the project's users and addresses that its nodes enforce. */
  readonly accessRevision: number;
  /** The engine host that runs it. */
  readonly host: string;
}

export type ClusterType = 'REPLICASET' | 'SHARDED' | 'GEOSHARDED';

/** `flexBySize`: a flex cluster that was asked for as M2 or M5, through the operations of clusters. */
export type ClusterKind = 'cluster' | 'flex' | 'flexBySize' | 'serverless';

export interface ClusterSpec {
  /** A cluster where it is absent. */
  readonly kind?: ClusterKind;
  readonly clusterType: ClusterType;
  readonly zones: readonly Zone[];
  readonly instanceSize: string;
  /** Of analytics nodes, where it is another. */
  readonly analyticsSize?: string;
  readonly tenant: boolean;
  readonly diskSizeGB: number;
  readonly diskIOPS?: number | undefined;
  readonly volumeType?: 'STANDARD' | 'PROVISIONED' | undefined;
  readonly majorVersion: string;
  /** It has become sharded after it was made. */
  readonly wasReplicaSet?: boolean;
  /** Its shards have been given sizes of their own, now or before. */
  readonly independentShards?: boolean;
  /** How the database server behaves, where somebody has said so. */
  readonly arguments?: ServerArguments | undefined;
  /** The feature compatibility version that stays while the server's own goes on. */
  readonly pinned?: PinnedVersion | undefined;
  /** What the operator's staff may look at, and until when. */
  readonly employeeAccess?: EmployeeAccess | undefined;
  /** The last load of the sample data that was asked for. */
  readonly sampleLoad?: string | undefined;
  readonly settings: ClusterSettings;
}

/** As the API names them; null for one that was given back its default. */
export type ServerArguments = { readonly [Name in keyof ProcessArguments]?: ProcessArguments[Name] | null };

interface PinnedVersion {
  readonly version: string;
  /** Service time, ISO 8601. */
  readonly expires: string;
}

interface EmployeeAccess {
  readonly grantType: string;
  /** Service time, ISO 8601. */
  readonly expirationTime: string;
}

export function isSharded({ clusterType }: Pick<ClusterSpec, 'clusterType'>): boolean {
  return clusterType !== 'REPLICASET';
}

/** Of the free size, of which a project has one. */
export function isFree({ tenant, instanceSize }: ClusterSpec): boolean {
  return tenant && instanceSize === 'M0';
}

/** The provider of the region of the highest priority in the first zone. */
export function firstProvider({ zones }: Pick<ClusterSpec, 'zones'>): Provider {
  return zones[0]?.regions[0]?.provider ?? 'AWS';
}

/** What its first node has. */
export function instanceSizeOf(
  spec: Pick<ClusterSpec, 'zones' | 'instanceSize' | 'tenant'>,
): InstanceSize | undefined {
  const { tenant, instanceSize } = spec;
  return tenant ? tenantSizes[instanceSize] : instanceSizes[firstProvider(spec)].get(instanceSize);
}

/** Whether its nodes have local disks, which have a fixed size and end with the node. */
export function hasLocalDisks(spec: Pick<ClusterSpec, 'zones' | 'instanceSize'>): boolean {
  return instanceSizes[firstProvider(spec)].get(spec.instanceSize)?.class === 'nvme';
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly numShards: number;
  /** The size of each shard, where they differ. */
  readonly sizes?: readonly string[];
  /** By falling priority. */
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

/** What the engine made of it, and the texts that its host names hold. */
export interface Placement {
  /** Six characters, fixed per cluster: part of the replica set's name. */
  readonly mark: string;
  readonly members: readonly PlacedMember[];
  /** When the list of members last changed; absent until the first deployment. */
  readonly updated?: string;
  /** It also has names for DNS servers of its users (contract 2.5). */
  readonly ownNames?: boolean;
  /** Why the deployment cannot run. */
  readonly problem?: string;
  /** Ids of the members that are not to run, by who wants it so; a member runs when nobody does. */
  readonly stopped?: Stops;
}

/** Who may want members not to run: the operator, or a simulated outage. */
export type Stopper = 'operator' | 'outage';
export type Stops = { readonly [By in Stopper]?: readonly string[] };

export interface PlacedMember {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

export function replicaSetName(mark: string, shard: number): string {
  return `platform-${mark}-shard-${shard}`;
}

/** Config servers: of their own before 8.0, where somebody asks for it, and where a replica set has become sharded. */
export function configServers({
  majorVersion,
  settings,
  wasReplicaSet,
}: ClusterSpec): 'DEDICATED' | 'EMBEDDED' {
  const own = settings.configServerManagementMode === 'FIXED_TO_DEDICATED' || wasReplicaSet === true;
  return own || Number(majorVersion) < 8 ? 'DEDICATED' : 'EMBEDDED';
}

/** The replica sets of a cluster, and the provider of the first region of each: a shard each, and config servers of their own. */
export function replicaSetsOf({ spec, placement }: Pick<ClusterModel, 'spec' | 'placement'>) {
  const shards = spec.zones.flatMap(({ numShards, regions }) =>
    Array.from({ length: numShards }, () => regions[0]?.provider ?? firstProvider(spec)),
  );
  const sets = shards.map((provider, shard) => {
    return { replicaSetName: replicaSetName(placement.mark, shard), provider };
  });
  if (!isSharded(spec) || configServers(spec) === 'EMBEDDED') return sets;
  return [...sets, { replicaSetName: `platform-${placement.mark}-config-0`, provider: firstProvider(spec) }];
}
