import type { Deployment } from '@portolan/engine/interface/engine';
import type { ReadTx } from '../../store/index.ts';
import {
  type ClusterModel,
  clustersIn,
  hostName,
  instanceSizeOf,
  isSharded,
  type PlacedMember,
  replicaSetName,
  sizeNumber,
  versionOf,
} from '../clusters/index.ts';
import type { HostNaming, Services } from '../services.ts';
import { lastSamples } from './measured/rows.ts';
import { FINE_SIZE, monitoringFaults, type Range, type RangeQuery, readRange } from './rules.ts';
import type { ProcessType } from './schema.ts';

/** A member of a cluster, as those see it who look after it. */
export interface Process {
  /** `127.0.0.1:27100` */
  readonly id: string;
  readonly hostname: string;
  readonly cluster: ClusterModel;
  readonly member: PlacedMember;
}

const isRouter = ({ member }: Process) => member.id.startsWith('router-');

/** Whether it is of a shared size, of which little is told. */
export const isShared = ({ cluster }: Process) => cluster.spec.tenant;

/** Whether points of ten seconds are told of it. */
function isFine({ cluster: { spec } }: Process): boolean {
  const size = instanceSizeOf(spec);
  return size !== undefined && size.class !== 'tenant' && sizeNumber(size.name) >= FINE_SIZE;
}

/** The time that a query about a process asks for. */
export function rangeOf(process: Process, query: RangeQuery, now: Date, fine = isFine(process)): Range {
  return readRange(query, { now, since: process.cluster.created, fine });
}

/** The processes of a project by cluster, the oldest first. Those of flex clusters and serverless instances are nobody's business. */
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

/** When each member of these clusters was heard of last. */
export async function lastHeard(
  tx: ReadTx,
  clusters: readonly ClusterModel[],
): Promise<ReadonlyMap<string, Date>> {
  const heard = new Map<string, Date>();
  for (const { id } of new Set(clusters)) {
    for (const [memberId, { time }] of await lastSamples(tx, id))
      heard.set(`${id} ${memberId}`, new Date(time));
  }
  return heard;
}

/** How their hosts describe these clusters; one whose host cannot be asked is left out. */
export async function describedBy(
  { engines }: Services,
  clusters: readonly ClusterModel[],
): Promise<ReadonlyMap<string, Deployment>> {
  const reachable = new Set(engines.reachable());
  const asked = [...new Set(clusters)]
    .filter(({ host, paused }) => !paused && reachable.has(host))
    .map(({ id, host }) => engines.at(host).describe(id));
  const answers = await Promise.allSettled(asked);
  const found = answers.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
  return new Map(found.map((deployment) => [deployment.id, deployment]));
}

export function presentProcess(
  process: Process,
  deployment: Deployment | undefined,
  heard: ReadonlyMap<string, Date>,
) {
  const { id, hostname, cluster, member } = process;
  const shard = Number(/^\D+-(\d+)-/.exec(member.id)?.[1] ?? 0);
  const replicaSet = replicaSetName(cluster.placement.mark, shard);
  const sharded = isSharded(cluster.spec);
  const lastPing = heard.get(`${cluster.id} ${member.id}`);
  return {
    created: cluster.created,
    groupId: cluster.groupId,
    hostname,
    id,
    ...(lastPing === undefined ? {} : { lastPing }),
    port: member.port,
    ...(isRouter(process) ? {} : { replicaSetName: replicaSet }),
    ...(sharded && !isRouter(process) ? { shardName: replicaSet } : {}),
    typeName: typeOf(process, sharded, deployment),
    userAlias: aliasOf(cluster, member, hostname),
    version: versionOf(cluster.spec.majorVersion),
  };
}

/** Where members have no names of their own, the one that they would have. */
function aliasOf({ name }: ClusterModel, { id, host }: PlacedMember, hostname: string): string {
  return hostname === host ? `${name.toLowerCase()}-${id.replace(/^router/, 'shard')}` : hostname;
}

function typeOf(
  { member: { id } }: Process,
  sharded: boolean,
  deployment: Deployment | undefined,
): ProcessType {
  if (deployment?.state !== 'running' || deployment.stopped?.includes(id)) return 'NO_DATA';
  if (id.startsWith('router-')) return 'SHARD_MONGOS';
  const primary = deployment.primaries.includes(id);
  if (sharded) return primary ? 'SHARD_PRIMARY' : 'SHARD_SECONDARY';
  return primary ? 'REPLICA_PRIMARY' : 'REPLICA_SECONDARY';
}
