import type {
  Deployment,
  DeploymentSpec,
  FoundServers,
  MemberSpec,
  ProcessArguments,
} from '@portolan/engine/management';
import { can } from '../model/capabilities.ts';
import {
  type ClusterModel,
  type ClusterSpec,
  instanceSizeOf,
  isSharded,
  type RegionNodes,
  setNameOf,
  shownVersion,
} from '../model/cluster.ts';
import { foundMembers } from '../model/servers.ts';
import { advancedConfigurationOf } from '../model/settings.ts';
import { nodeNames } from '../shapes/connection-strings.ts';

/** Parts of a deployment that other families provide. */
export interface DeploymentInputs {
  readonly access: DeploymentSpec['access'];
  readonly auditing: DeploymentSpec['auditing'] | undefined;
  /** The id of the master key that wraps the cluster's key, if the cluster is encrypted. */
  readonly masterKey: string | undefined;
}

/** Returns the specification of a cluster in the form of the engine. Member ids such as `shard-00-00` are stable. */
export function deploymentOf(
  cluster: ClusterModel,
  { access, auditing, masterKey }: DeploymentInputs,
): DeploymentSpec {
  return {
    id: cluster.id,
    clusterName: cluster.name,
    replicaSetName: setNameOf(cluster.placement, 0),
    ...sharding(cluster),
    majorVersion: cluster.spec.majorVersion,
    version: shownVersion(cluster),
    members: membersOf(cluster).map((member) => ({ ...member, names: nodeNames(cluster, member.id) })),
    access,
    ...limitsOf(cluster.spec),
    arguments: argumentsOf(cluster.spec),
    ...compatibilityFor(cluster),
    minimumTlsProtocol: advancedConfigurationOf(cluster.spec.settings).minimumEnabledTlsProtocol,
    ...(auditing === undefined ? {} : { auditing }),
    ...(masterKey === undefined ? {} : { encryption: { masterKey } }),
  };
}

const GB = 1024 ** 3;

/**
 * Returns the limits of the first node. Serverless instances and flex clusters have no size, and therefore no limits.
 */
function limitsOf(spec: ClusterSpec): Pick<DeploymentSpec, 'limits'> {
  const size = instanceSizeOf(spec);
  if (size === undefined) return {};
  return { limits: { connections: size.maxConnections, disk: spec.diskSizeGB * GB } };
}

/**
 * Returns the process arguments that have a value. An argument that was reset to its default is null in the
 * specification, and is omitted. The arguments about TLS are in the settings instead.
 */
function argumentsOf({ arguments: set = {} }: ClusterSpec): ProcessArguments {
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * Returns the feature compatibility version that servers must have whose version the service does not determine: the
 * pinned version or, after the end of a pin, that of their release. The service changes no other version.
 */
function compatibilityFor(cluster: ClusterModel): Pick<DeploymentSpec, 'featureCompatibilityVersion'> {
  const { pinned, majorVersion } = cluster.spec;
  if (can(cluster, 'versions')) return {};
  if (pinned !== undefined) return { featureCompatibilityVersion: pinned.version };
  return cluster.placement.keptCompatibility === undefined
    ? {}
    : { featureCompatibilityVersion: majorVersion };
}

/** Returns the data nodes and routers of a cluster. */
export function membersOf(
  cluster: Pick<ClusterModel, 'spec'> & Partial<Pick<ClusterModel, 'placement'>>,
): MemberSpec[] {
  const { placement, spec } = cluster;
  const found = placement && foundMembers({ placement });
  if (found !== undefined) return withRegion(spec, found);
  const shards = cluster.spec.zones.flatMap((zone) =>
    Array.from({ length: zone.numShards }, () => zone.regions),
  );
  const nodes = shards.flatMap((regions, shard) =>
    nodesOf(regions).map((node, index) => ({
      ...node,
      id: `shard-${twoDigits(shard)}-${twoDigits(index)}`,
      shard,
    })),
  );
  return isSharded(cluster.spec) ? [...nodes, ...nodes.map(routerFor)] : nodes;
}

/** Converts the members that the engine has found. All of them are in the only region of the cluster. */
function withRegion({ zones }: ClusterSpec, members: FoundServers['members']): MemberSpec[] {
  const { provider = '', region = '' } = zones[0]?.regions[0] ?? {};
  return members.map(({ host: _host, port: _port, ...member }) => ({ ...member, provider, region }));
}

/** Returns the router that belongs to a data node. The router is in the same region. */
function routerFor({ id, provider, region, shard }: MemberSpec): MemberSpec {
  return { id: id.replace(/^shard/, 'router'), shard, kind: 'router', provider, region, priority: 0 };
}

function sharding(cluster: ClusterModel): Pick<DeploymentSpec, 'shardNames'> {
  if (!isSharded(cluster.spec)) return {};
  const count = cluster.spec.zones.reduce((sum, { numShards }) => sum + numShards, 0);
  const shardNames = Array.from({ length: count }, (_, shard) => setNameOf(cluster.placement, shard));
  return { shardNames };
}

/**
 * Returns the nodes of a replica set. Electable nodes come first. The ids of members that can vote therefore do not
 * change when other nodes are added.
 */
function nodesOf(regions: readonly RegionNodes[]): Omit<MemberSpec, 'id' | 'shard'>[] {
  const kinds = ['electable', 'readOnly', 'analytics'] as const;
  return kinds.flatMap((kind) =>
    regions.flatMap((region) =>
      Array.from({ length: region[kind] }, () => ({
        kind,
        provider: region.provider,
        region: region.region,
        priority: kind === 'electable' ? region.priority : 0,
      })),
    ),
  );
}

/** Whether a member of a running deployment is stopped or down. */
export function isSilent({ stopped = [], down = [] }: Deployment, memberId: string): boolean {
  return stopped.includes(memberId) || down.includes(memberId);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
