import { createHash } from 'node:crypto';
import type { Deployment, MemberSample } from '@portolan/engine/interface/engine';
import {
  type ClusterModel,
  hostName,
  isSharded,
  isSilent,
  isStandalone,
  membersOf,
  type PlacedMember,
  setNameOf,
  tenantFamilyOf,
} from '../../clusters/index.ts';
import { allowanceOf } from '../../monitoring/index.ts';
import type { HostNaming } from '../../services.ts';
import { metrics } from '../catalogue/metrics.ts';
import { baseUnits } from '../catalogue/units.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import type { AlertTarget, Evaluation, Finding } from '../lifecycle/changes.ts';
import { isBeyond } from './comparison.ts';
import { electionsIn, shardOf } from './elections.ts';
import { hostMetricReaders } from './metric-readers.ts';
import { readTenantMetric } from './tenants.ts';

/** The observed state of a cluster at one time. */
export interface Observation {
  readonly cluster: ClusterModel;
  /** The deployment on its host; undefined if the host does not run it. */
  readonly deployment: Deployment | undefined;
  /** The samples of about the last minute by member, newest last. */
  readonly samples: ReadonlyMap<string, readonly MemberSample[]>;
  readonly naming: HostNaming;
  /** The service time of the observation. */
  readonly now: Date;
  /** Collections that lack an index; undefined if unknown. */
  readonly suggested?: readonly string[] | undefined;
}

/** An observation with the values of the matcher field `PLATFORM_NODE_TYPE` by member. */
interface Seen extends Observation {
  readonly nodeTypes: ReadonlyMap<string, string>;
}

/** Routers and config servers have no node type. */
function nodeTypesOf(cluster: ClusterModel): ReadonlyMap<string, string> {
  const names = { electable: 'ELECTABLE', readOnly: 'READ_ONLY', analytics: 'ANALYTICS' };
  const types = membersOf(cluster).flatMap(({ id, kind }) =>
    kind === 'router' ? [] : [[id, names[kind]] as const],
  );
  return new Map(types);
}

/** Returns the findings about the members, replica sets and routers of a cluster. */
export function findingsOf(observed: Observation): Finding[] {
  const observation: Seen = { ...observed, nodeTypes: nodeTypesOf(observed.cluster) };
  const { members } = observation.cluster.placement;
  const nodes = members.filter(({ id }) => !id.startsWith('router-'));
  const sets = Map.groupBy(nodes, ({ id }) => id.replace(/-\d+$/, ''));
  return [
    ...members.map((member) => hostDown(observation, member)),
    ...nodes.flatMap((member) => [
      outsideMetric(observation, member),
      suggestions(observation, member),
      ...searchOf(observation, member),
    ]),
    ...outsideTenantMetric(observation),
    ...(isStandalone(observation.cluster) ? [] : [...sets.values()]).flatMap((set, shard) =>
      replicaSetFindings(observation, set, shard),
    ),
    ...(isSharded(observation.cluster.spec) ? [noRouter(observation)] : []),
  ];
}

const subjectIf = (holds: boolean, target: AlertTarget): Evaluation => (holds ? target.subject : 'ok');

function isUp({ deployment }: Seen, { id }: PlacedMember): boolean {
  return deployment?.state === 'running' && !isSilent(deployment, id);
}

function finding(
  { cluster }: Seen,
  eventType: string,
  target: AlertTarget,
  evaluate: (configuration: ConfigurationRow) => Evaluation,
): Finding {
  return { groupId: cluster.groupId, eventType, target, evaluate };
}

function hostDown(observation: Seen, member: PlacedMember): Finding {
  const target = hostTarget(observation, member);
  return finding(observation, 'HOST_DOWN', target, () => subjectIf(!isUp(observation, member), target));
}

function outsideMetric(observation: Seen, member: PlacedMember): Finding {
  const target = hostTarget(observation, member);
  const samples = observation.samples.get(member.id) ?? [];
  const allowed = allowanceOf(observation.cluster);
  return metricFinding(observation, 'OUTSIDE_METRIC_THRESHOLD', target, 'host', (metricName) =>
    samples.length > 0 ? hostMetricReaders[metricName]?.(samples, allowed) : undefined,
  );
}

/** Returns the findings about the search process of a member. */
function searchOf(observation: Seen, member: PlacedMember): Finding[] {
  const target = hostTarget(observation, member);
  const newest = observation.samples.get(member.id)?.at(-1);
  const found = (eventType: string, holds: boolean) =>
    finding(observation, eventType, target, () =>
      newest === undefined ? 'unknown' : subjectIf(holds, target),
    );
  const { stopped, stopsSoon, outOfMemory } = newest?.search ?? {};
  return [
    found('HOST_MONGOT_APPROACHING_STOP_REPLICATION', stopsSoon === true),
    found('HOST_MONGOT_CRASHING_OOM', outOfMemory === true),
    found('HOST_MONGOT_STOP_REPLICATION', stopped !== undefined),
  ];
}

/** Returns a finding that compares a metric with the threshold of each configuration. */
function metricFinding(
  observation: Seen,
  eventType: string,
  target: AlertTarget,
  kind: keyof typeof metrics,
  read: (metricName: string) => number | undefined,
): Finding {
  const evaluateMetric = (
    { document: { metricThreshold } }: ConfigurationRow,
    isEnding: boolean,
  ): Evaluation => {
    const set = metricThreshold && metrics[kind].get(metricThreshold.metricName);
    const value = metricThreshold && read(metricThreshold.metricName);
    if (!set || value === undefined || !Number.isFinite(value)) return 'unknown';
    if (!isEnding && !isBeyond(metricThreshold, set, value)) return 'ok';
    const currentValue = { number: value, units: baseUnits[set] };
    return { ...target.subject, metricName: metricThreshold.metricName, currentValue };
  };
  return {
    ...finding(observation, eventType, target, (configuration) => evaluateMetric(configuration, false)),
    endedSubject(configuration) {
      const shown = evaluateMetric(configuration, true);
      return typeof shown === 'string' ? undefined : shown;
    },
  };
}

function replicaSetFindings(observation: Seen, set: readonly PlacedMember[], shard: number): Finding[] {
  const { cluster, deployment } = observation;
  const name = setNameOf(cluster.placement, shard);
  const target: AlertTarget = {
    key: `set:${cluster.id}:${shard}`,
    clusterId: cluster.id,
    fields: { REPLICA_SET_NAME: name, SHARD_NAME: name, CLUSTER_NAME: cluster.name },
    subject: {
      replicaSetName: name,
      clusterName: cluster.name,
      clusterId: cluster.id,
      parentClusterId: cluster.id,
      nonRunningHostIds: set
        .filter((member) => !isUp(observation, member))
        .map((member) => hostIdOf(observation, member)),
    },
  };
  const healthy = set.filter((member) => isUp(observation, member));
  const hasPrimary = healthy.some(({ id }) => deployment?.primaries.includes(id));
  const counted = (eventType: string, count: number) =>
    finding(observation, eventType, target, ({ document: { threshold } }) =>
      subjectIf(threshold !== undefined && isBeyond(threshold, 'raw', count), target),
    );
  return [
    finding(observation, 'NO_PRIMARY', target, () => subjectIf(!hasPrimary, target)),
    counted('TOO_FEW_HEALTHY_MEMBERS', healthy.length),
    counted('TOO_MANY_UNHEALTHY_MEMBERS', set.length - healthy.length),
    counted('TOO_MANY_ELECTIONS', electionsIn(deployment, shard, observation.now)),
    oplogWindow(observation, set, target),
  ];
}

/**
 * Returns the finding about the oplog window of the primary. The window is unknown until the oplog has dropped its
 * first entry, since a new oplog always has a short window.
 */
function oplogWindow(observation: Seen, set: readonly PlacedMember[], target: AlertTarget): Finding {
  const primary = set.find(({ id }) => observation.deployment?.primaries.includes(id));
  const oplog = primary && observation.samples.get(primary.id)?.at(-1)?.oplog;
  return finding(
    observation,
    'REPLICATION_OPLOG_WINDOW_RUNNING_OUT',
    target,
    ({ document: { threshold } }) => {
      if (oplog?.whole === undefined || threshold === undefined) return 'unknown';
      return subjectIf(!oplog.whole && isBeyond(threshold, 'time', oplog.window * 1000), target);
    },
  );
}

/**
 * Returns the finding about index suggestions. It is about the primary, since the suggestions derive from the queries
 * of the primary.
 */
function suggestions(observation: Seen, member: PlacedMember): Finding {
  const target = hostTarget(observation, member);
  const isPrimary = observation.deployment?.primaries.includes(member.id) === true;
  return finding(observation, 'HOST_HAS_INDEX_SUGGESTIONS', target, () =>
    observation.suggested === undefined
      ? 'unknown'
      : subjectIf(isPrimary && observation.suggested.length > 0, target),
  );
}

/**
 * Returns the finding that compares the metrics of a whole tenant cluster with thresholds; empty for other
 * clusters.
 */
function outsideTenantMetric(observation: Seen): Finding[] {
  const { cluster, samples } = observation;
  const family = tenantFamilyOf(cluster.spec);
  if (family === undefined) return [];
  const target = clusterTarget(cluster);
  const eventType = `OUTSIDE_${family === 'flex' ? 'FLEX' : 'SERVERLESS'}_METRIC_THRESHOLD`;
  const read = (metricName: string) =>
    readTenantMetric(family, metricName, samples.values(), allowanceOf(cluster));
  return [metricFinding(observation, eventType, target, family, read)];
}

function noRouter(observation: Seen): Finding {
  const { cluster } = observation;
  const routers = cluster.placement.members.filter(({ id }) => id.startsWith('router-'));
  const target = clusterTarget(cluster);
  const isMissing = !routers.some((router) => isUp(observation, router));
  return finding(observation, 'CLUSTER_MONGOS_IS_MISSING', target, () => subjectIf(isMissing, target));
}

function clusterTarget({ id, name }: ClusterModel): AlertTarget {
  return {
    key: `cluster:${id}`,
    clusterId: id,
    fields: { CLUSTER_NAME: name },
    subject: { clusterName: name },
  };
}

/** Returns a hash of the address, since the contract requires hexadecimal host ids. */
function hostIdOf({ cluster, naming }: Seen, member: PlacedMember): string {
  const address = `${hostName(cluster, member, naming)}:${member.port}`;
  return createHash('md5').update(address).digest('hex');
}

function hostTarget({ cluster, deployment, naming, nodeTypes }: Seen, member: PlacedMember): AlertTarget {
  const host = hostName(cluster, member, naming);
  const hostnameAndPort = `${host}:${member.port}`;
  const replicaSet = setNameOf(cluster.placement, shardOf(member.id));
  return {
    key: `host:${cluster.id}:${member.id}`,
    clusterId: cluster.id,
    fields: {
      TYPE_NAME: typeNameOf(member, deployment),
      HOSTNAME: host,
      PORT: String(member.port),
      HOSTNAME_AND_PORT: hostnameAndPort,
      REPLICA_SET_NAME: replicaSet,
      CLUSTER_NAME: cluster.name,
      PLATFORM_NODE_TYPE: nodeTypes.get(member.id),
    },
    subject: { clusterName: cluster.name, hostnameAndPort, replicaSetName: replicaSet, userAlias: host },
  };
}

function typeNameOf({ id }: PlacedMember, deployment: Deployment | undefined): string {
  if (id.startsWith('router-')) return 'MONGOS';
  if (id.startsWith('config-')) return 'CONFIG';
  return deployment?.primaries.includes(id) ? 'PRIMARY' : 'SECONDARY';
}
