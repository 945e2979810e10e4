import type { Deployment, MemberAddress, ServerNames } from '@portolan/engine/interface/engine';
import { podsOf, replicaSetName } from './names.ts';
import type { KubernetesObject } from './port.ts';
import { REVISION } from './resource.ts';
import type { WantedCluster } from './wanted.ts';

/** The status of a resource, as the operator writes it. */
interface Status {
  readonly state?: string;
  readonly message?: string;
  readonly host?: string;
  readonly mongoVersion?: string;
  readonly observedGeneration?: number;
  readonly replsets?: Readonly<Record<string, SetStatus>>;
  readonly mongos?: SetStatus;
}

interface SetStatus {
  readonly size?: number;
  readonly ready?: number;
  readonly status?: string;
  readonly message?: string;
  readonly members?: Readonly<Record<string, { readonly stateStr?: string }>>;
}

/**
 * The state of a resource:
 * - `running`, `paused`: the operator has applied the resource;
 * - `unseen`: the operator has not seen the last change;
 * - `waiting`: the operator is working, or nodes are missing;
 * - `failed`: the operator reports an error.
 */
export interface ResourceState {
  readonly state: 'running' | 'paused' | 'unseen' | 'waiting' | 'failed';
  readonly reason?: string;
}

const statusOf = (object: KubernetesObject): Status => (object.status ?? {}) as Status;

export function stateOf(object: KubernetesObject): ResourceState {
  const { metadata } = object;
  const status = statusOf(object);
  if (metadata?.deletionTimestamp !== undefined)
    return { state: 'waiting', reason: 'its resource is being deleted' };
  // After an error, the operator does not record which change it has seen.
  if (status.state === 'error') return { state: 'failed', reason: errorOf(status) };
  const isOld = (status.observedGeneration ?? 0) < (metadata?.generation ?? 0);
  if (status.state === undefined || status.state === '' || isOld) {
    return { state: 'unseen', reason: 'the operator has not seen the last change of its resource' };
  }
  if (status.state === 'ready') return { state: 'running' };
  if (status.state === 'paused') return { state: 'paused' };
  return { state: 'waiting', reason: progressOf(status) };
}

function errorOf({ message = '', replsets = {} }: Status): string {
  const details = Object.values(replsets).flatMap((set) => set.message ?? []);
  const text = [message.replace(/^Error: /, ''), ...details].filter((part) => part !== '').join('; ');
  return `the operator reports an error: ${text === '' ? 'it gives no reason' : text}`;
}

function progressOf({ state, replsets = {}, mongos }: Status): string {
  const sets: readonly (readonly [string, SetStatus])[] = [
    ...Object.entries(replsets),
    ...(mongos === undefined ? [] : [['mongos', mongos] as const]),
  ];
  const missing = sets.filter(([, { ready = 0, size = 0 }]) => ready < size);
  const counts = missing.map(([name, { ready = 0, size = 0, message = '' }]) => {
    const detail = message === '' ? '' : ` (${message.replace(/[; ]+$/, '')})`;
    return `${ready} of ${size} nodes of ${name} are ready${detail}`;
  });
  return [`the operator reports the state ${state}`, ...counts].join('; ');
}

const PORT = 27_017;
const SUFFIX = 'svc.cluster.local';

/** Returns the revision of the users and roles in a resource. */
const revisionOf = ({ metadata }: KubernetesObject): number => Number(metadata?.annotations?.[REVISION] ?? 0);

/** The external addresses of the services of exposed nodes, by the name of the service. */
export type Addresses = ReadonlyMap<string, string>;

/** Returns the deployment of a resource that the operator has applied. */
export function deploymentOf(
  wanted: WantedCluster,
  object: KubernetesObject,
  addresses: Addresses | undefined,
): Deployment {
  const { state, reason } = stateOf(object);
  const isUp = state === 'running' || state === 'paused';
  const members = membersOf(wanted, object, addresses);
  return {
    id: wanted.id,
    state: isUp ? state : 'failed',
    members,
    accessRevision: state === 'running' ? revisionOf(object) : 0,
    primaries: state === 'running' ? primariesOf(wanted, object) : [],
    servers: serversOf(wanted, object, addresses !== undefined),
    ...(isUp || reason === undefined ? {} : { message: reason }),
  };
}

function membersOf(
  wanted: WantedCluster,
  { metadata, spec }: KubernetesObject,
  addresses: Addresses | undefined,
): MemberAddress[] {
  const { name = '', namespace = '' } = metadata ?? {};
  const suffix = (spec?.clusterServiceDNSSuffix as string | undefined) ?? SUFFIX;
  return podsOf(name, wanted).map(({ memberId, pod, service }) => {
    const parts = service === undefined ? [pod, namespace, suffix] : [pod, service, namespace, suffix];
    return { id: memberId, host: addresses?.get(pod) ?? parts.join('.'), port: PORT };
  });
}

function primariesOf(wanted: WantedCluster, object: KubernetesObject): string[] {
  const { name = '' } = object.metadata ?? {};
  const ids = new Map(podsOf(name, wanted).map(({ memberId, pod }) => [pod, memberId]));
  const { replsets = {} } = statusOf(object);
  return wanted.shards.flatMap((_, shard) => {
    const { members = {} } = replsets[replicaSetName(shard)] ?? {};
    const primary = Object.entries(members).find(([, { stateStr }]) => stateStr === 'PRIMARY');
    return (primary && ids.get(primary[0])) ?? [];
  });
}

/**
 * Returns the names of the servers. Kubernetes publishes SRV records for the headless service of a replica set. The
 * operator reports the name of this service as `host`.
 */
function serversOf(wanted: WantedCluster, object: KubernetesObject, isExposed: boolean): ServerNames {
  const { host, mongoVersion = '' } = statusOf(object);
  // Percona's own number follows after a hyphen, as in 8.0.19-7.
  const [version] = /^\d+\.\d+\.\d+/.exec(mongoVersion) ?? [];
  const isService = host !== undefined && !wanted.isSharded && !isExposed && !/[:,]/.test(host);
  return {
    replicaSets: wanted.shards.map((_, shard) => replicaSetName(shard)),
    tls: true,
    ...(isService ? { srvHost: host } : {}),
    ...(version === undefined ? {} : { version }),
  };
}
