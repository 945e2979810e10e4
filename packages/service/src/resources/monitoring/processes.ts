import type { Deployment } from '@portolan/engine/interface/engine';
import type { ReadTx } from '../../store/index.ts';
import {
  type ClusterModel,
  clustersIn,
  hostName,
  instanceSizeOf,
  isSharded,
  isSilent,
  isStandalone,
  type PlacedMember,
  setNameOf,
  shownVersion,
  sizeNumber,
} from '../clusters/index.ts';
import type { HostNaming, Services } from '../services.ts';
import { monitoringFaults } from './faults.ts';
import { lastSamples } from './measured/rows.ts';
import { type Range, type RangeQuery, readRange, SMALLEST_TEN_SECOND_SIZE } from './rules.ts';
import type { ProcessType } from './schema.ts';

/** A member of a cluster as monitoring presents it. */
export interface Process {
  /** The host and port, such as `127.0.0.1:27100`. */
  readonly id: string;
  readonly hostname: string;
  readonly cluster: ClusterModel;
  readonly member: PlacedMember;
}

const isRouter = ({ member }: Process) => member.id.startsWith('router-');

/** Whether the process belongs to a shared-tier cluster, which has few metrics. */
export const isShared = ({ cluster }: Process) => cluster.spec.tenant;

/** Whether the process has points of ten seconds. */
function hasTenSecondPoints({ cluster: { spec } }: Process): boolean {
  const size = instanceSizeOf(spec);
  return size !== undefined && size.class !== 'tenant' && sizeNumber(size.name) >= SMALLEST_TEN_SECOND_SIZE;
}

/** Returns the time range of a query about a process. */
export function rangeOf(
  process: Process,
  query: RangeQuery,
  now: Date,
  fine = hasTenSecondPoints(process),
): Range {
  return readRange(query, { now, since: process.cluster.created, fine });
}

/**
 * Returns the processes of a project by cluster, oldest first. The list lacks the processes of flex clusters and
 * serverless instances.
 */
export async function processesIn(tx: ReadTx, groupId: string, naming: HostNaming): Promise<Process[]> {
  const clusters = (await clustersIn(tx, groupId)).filter(
    ({ spec }) => spec.kind !== 'flex' && spec.kind !== 'serverless',
  );
  return clusters.flatMap((cluster) =>
    cluster.placement.members.map((member) => {
      const hostname = hostName(cluster, member, naming);
      return { id: `${hostname}:${member.port}`, hostname, cluster, member };
    }),
  );
}

export async function requireProcess(
  tx: ReadTx,
  { groupId, processId }: { readonly groupId: string; readonly processId: string },
  naming: HostNaming,
): Promise<Process> {
  const found = (await processesIn(tx, groupId, naming)).find(({ id }) => id === processId);
  if (found === undefined) throw monitoringFaults.HOSTNAME_AND_PORT_NOT_FOUND(processId, groupId);
  return found;
}

/** Returns when each member of these clusters was last sampled. */
export async function lastPings(
  tx: ReadTx,
  clusters: readonly ClusterModel[],
): Promise<ReadonlyMap<string, Date>> {
  const pings = new Map<string, Date>();
  for (const { id } of new Set(clusters)) {
    for (const [memberId, { time }] of await lastSamples(tx, id))
      pings.set(`${id} ${memberId}`, new Date(time));
  }
  return pings;
}

/** Returns the deployments of these clusters, as their hosts report them. Unreachable hosts report none. */
export async function deploymentsOf(
  { engines }: Services,
  clusters: readonly ClusterModel[],
): Promise<ReadonlyMap<string, Deployment>> {
  const reachable = new Set(engines.reachable());
  const descriptions = [...new Set(clusters)]
    .filter(({ host, paused }) => !paused && reachable.has(host))
    .map(({ id, host }) => engines.at(host).describe(id));
  const answers = await Promise.allSettled(descriptions);
  const found = answers.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
  return new Map(found.map((deployment) => [deployment.id, deployment]));
}

export function presentProcess(
  process: Process,
  deployment: Deployment | undefined,
  pings: ReadonlyMap<string, Date>,
) {
  const { id, hostname, cluster, member } = process;
  const shard = Number(/^\D+-(\d+)-/.exec(member.id)?.[1] ?? 0);
  const replicaSet = setNameOf(cluster.placement, shard);
  const sharded = isSharded(cluster.spec);
  const lastPing = pings.get(`${cluster.id} ${member.id}`);
  return {
    created: cluster.created,
    groupId: cluster.groupId,
    hostname,
    id,
    ...(lastPing === undefined ? {} : { lastPing }),
    port: member.port,
    ...(isRouter(process) || replicaSet === '' ? {} : { replicaSetName: replicaSet }),
    ...(sharded && !isRouter(process) ? { shardName: replicaSet } : {}),
    typeName: typeOf(process, sharded, deployment),
    userAlias: aliasOf(cluster, member, hostname),
    version: shownVersion(cluster),
  };
}

/** Returns the host name of a member. If the member has only an address, returns a name derived from the cluster. */
function aliasOf({ name }: ClusterModel, { id, host }: PlacedMember, hostname: string): string {
  return hostname === host ? `${name.toLowerCase()}-${id.replace(/^router/, 'shard')}` : hostname;
}

function typeOf(
  { cluster, member: { id } }: Process,
  sharded: boolean,
  deployment: Deployment | undefined,
): ProcessType {
  if (deployment?.state !== 'running' || isSilent(deployment, id)) return 'NO_DATA';
  if (isStandalone(cluster)) return 'SHARD_STANDALONE';
  if (id.startsWith('router-')) return 'SHARD_MONGOS';
  const primary = deployment.primaries.includes(id);
  if (sharded) return primary ? 'SHARD_PRIMARY' : 'SHARD_SECONDARY';
  return primary ? 'REPLICA_PRIMARY' : 'REPLICA_SECONDARY';
}
