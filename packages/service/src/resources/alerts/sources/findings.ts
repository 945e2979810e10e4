import { createHash } from 'node:crypto';
import type { Deployment, MemberSample } from '@portolan/engine/interface/engine';
import {
  type ClusterModel,
  hostName,
  isSharded,
  type PlacedMember,
  replicaSetName,
  tenantFamilyOf,
} from '../../clusters/index.ts';
import { allowanceOf } from '../../monitoring/index.ts';
import type { HostNaming } from '../../services.ts';
import { metrics } from '../catalogue/metrics.ts';
import { baseUnits } from '../catalogue/units.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import type { AlertTarget, Finding, Judgement } from '../lifecycle/changes.ts';
import { electionsIn, shardOf } from './elections.ts';
import { hostReadings } from './readings.ts';
import { tenantReading } from './tenants.ts';
import { isBeyond } from './thresholds.ts';

/** What is known of one cluster at one moment. */
export interface Sight {
  readonly cluster: ClusterModel;
  /** As its host describes it; absent: the host does not run it. */
  readonly deployment: Deployment | undefined;
  /** Those of about the last minute by member, the newest last. */
  readonly samples: ReadonlyMap<string, readonly MemberSample[]>;
  readonly naming: HostNaming;
  /** Service time. */
  readonly now: Date;
  /** Collections that an index would help, as far as anybody has looked. */
  readonly suggested?: readonly string[] | undefined;
}

/** Everything that configurations may find wrong with a cluster's members, replica sets and routers. */
export function findingsOf(sight: Sight): Finding[] {
  const { members } = sight.cluster.placement;
  const nodes = members.filter(({ id }) => !id.startsWith('router-'));
  const sets = Map.groupBy(nodes, ({ id }) => id.replace(/-\d+$/, ''));
  return [
    ...members.map((member) => hostDown(sight, member)),
    ...nodes.flatMap((member) => [
      outsideMetric(sight, member),
      suggestions(sight, member),
      ...searchOf(sight, member),
    ]),
    ...outsideTenantMetric(sight),
    ...[...sets.values()].flatMap((set, shard) => replicaSetFindings(sight, set, shard)),
    ...(isSharded(sight.cluster.spec) ? [noRouter(sight)] : []),
  ];
}

const wrong = (holds: boolean, target: AlertTarget): Judgement => (holds ? target.subject : 'well');

function isUp({ deployment }: Sight, { id }: PlacedMember): boolean {
  return deployment?.state === 'running' && !deployment.stopped?.includes(id);
}

function finding(
  { cluster }: Sight,
  eventType: string,
  target: AlertTarget,
  judge: (configuration: ConfigurationRow) => Judgement,
): Finding {
  return { groupId: cluster.groupId, eventType, target, judge };
}

function hostDown(sight: Sight, member: PlacedMember): Finding {
  const target = hostTarget(sight, member);
  return finding(sight, 'HOST_DOWN', target, () => wrong(!isUp(sight, member), target));
}

function outsideMetric(sight: Sight, member: PlacedMember): Finding {
  const target = hostTarget(sight, member);
  const samples = sight.samples.get(member.id) ?? [];
  const allowed = allowanceOf(sight.cluster);
  return metricFinding(sight, 'OUTSIDE_METRIC_THRESHOLD', target, 'host', (metricName) =>
    samples.length > 0 ? hostReadings[metricName]?.(samples, allowed) : undefined,
  );
}

/** What searches over a member are built and answered by. */
function searchOf(sight: Sight, member: PlacedMember): Finding[] {
  const target = hostTarget(sight, member);
  const newest = sight.samples.get(member.id)?.at(-1);
  const found = (eventType: string, holds: boolean) =>
    finding(sight, eventType, target, () => (newest === undefined ? 'unknown' : wrong(holds, target)));
  const { stopped, stopsSoon, outOfMemory } = newest?.search ?? {};
  return [
    found('HOST_MONGOT_APPROACHING_STOP_REPLICATION', stopsSoon === true),
    found('HOST_MONGOT_CRASHING_OOM', outOfMemory === true),
    found('HOST_MONGOT_STOP_REPLICATION', stopped !== undefined),
  ];
}

/** What a metric is, against the threshold of each configuration. */
function metricFinding(
  sight: Sight,
  eventType: string,
  target: AlertTarget,
  kind: keyof typeof metrics,
  read: (metricName: string) => number | undefined,
): Finding {
  const look = ({ document: { metricThreshold } }: ConfigurationRow, isEnding: boolean): Judgement => {
    const set = metricThreshold && metrics[kind].get(metricThreshold.metricName);
    const value = metricThreshold && read(metricThreshold.metricName);
    if (!set || value === undefined || !Number.isFinite(value)) return 'unknown';
    if (!isEnding && !isBeyond(metricThreshold, set, value)) return 'well';
    const currentValue = { number: value, units: baseUnits[set] };
    return { ...target.subject, metricName: metricThreshold.metricName, currentValue };
  };
  return {
    ...finding(sight, eventType, target, (configuration) => look(configuration, false)),
    shownWell(configuration) {
      const shown = look(configuration, true);
      return typeof shown === 'string' ? undefined : shown;
    },
  };
}

function replicaSetFindings(sight: Sight, set: readonly PlacedMember[], shard: number): Finding[] {
  const { cluster, deployment } = sight;
  const name = replicaSetName(cluster.placement.mark, shard);
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
        .filter((member) => !isUp(sight, member))
        .map((member) => hostIdOf(sight, member)),
    },
  };
  const healthy = set.filter((member) => isUp(sight, member));
  const hasPrimary = healthy.some(({ id }) => deployment?.primaries.includes(id));
  const counted = (eventType: string, count: number) =>
    finding(sight, eventType, target, ({ document: { threshold } }) =>
      wrong(threshold !== undefined && isBeyond(threshold, 'raw', count), target),
    );
  return [
    finding(sight, 'NO_PRIMARY', target, () => wrong(!hasPrimary, target)),
    counted('TOO_FEW_HEALTHY_MEMBERS', healthy.length),
    counted('TOO_MANY_UNHEALTHY_MEMBERS', set.length - healthy.length),
    counted('TOO_MANY_ELECTIONS', electionsIn(deployment, shard, sight.now)),
    oplogWindow(sight, set, target),
  ];
}

/**
 * That of the primary. The window of an oplog that has lost nothing yet is short because it is new, and says nothing of how
 * much it holds.
 */
function oplogWindow(sight: Sight, set: readonly PlacedMember[], target: AlertTarget): Finding {
  const primary = set.find(({ id }) => sight.deployment?.primaries.includes(id));
  const oplog = primary && sight.samples.get(primary.id)?.at(-1)?.oplog;
  return finding(sight, 'REPLICATION_OPLOG_WINDOW_RUNNING_OUT', target, ({ document: { threshold } }) => {
    if (oplog?.whole === undefined || threshold === undefined) return 'unknown';
    return wrong(!oplog.whole && isBeyond(threshold, 'time', oplog.window * 1000), target);
  });
}

/** The primary has them: what it is asked for tells what indexes are missing. */
function suggestions(sight: Sight, member: PlacedMember): Finding {
  const target = hostTarget(sight, member);
  const isPrimary = sight.deployment?.primaries.includes(member.id) === true;
  return finding(sight, 'HOST_HAS_INDEX_SUGGESTIONS', target, () =>
    sight.suggested === undefined ? 'unknown' : wrong(isPrimary && sight.suggested.length > 0, target),
  );
}

/** Of a cluster of a shared kind as a whole. */
function outsideTenantMetric(sight: Sight): Finding[] {
  const { cluster, samples } = sight;
  const family = tenantFamilyOf(cluster.spec);
  if (family === undefined) return [];
  const target = clusterTarget(cluster);
  const eventType = `OUTSIDE_${family === 'flex' ? 'FLEX' : 'SERVERLESS'}_METRIC_THRESHOLD`;
  const read = (metricName: string) =>
    tenantReading(family, metricName, samples.values(), allowanceOf(cluster));
  return [metricFinding(sight, eventType, target, family, read)];
}

function noRouter(sight: Sight): Finding {
  const { cluster } = sight;
  const routers = cluster.placement.members.filter(({ id }) => id.startsWith('router-'));
  const target = clusterTarget(cluster);
  const isMissing = !routers.some((router) => isUp(sight, router));
  return finding(sight, 'CLUSTER_MONGOS_IS_MISSING', target, () => wrong(isMissing, target));
}

function clusterTarget({ id, name }: ClusterModel): AlertTarget {
  return {
    key: `cluster:${id}`,
    clusterId: id,
    fields: { CLUSTER_NAME: name },
    subject: { clusterName: name },
  };
}

/** The reference wants hexadecimal digits for a host. */
function hostIdOf({ cluster, naming }: Sight, member: PlacedMember): string {
  const address = `${hostName(cluster, member, naming)}:${member.port}`;
  return createHash('md5').update(address).digest('hex');
}

function hostTarget({ cluster, deployment, naming }: Sight, member: PlacedMember): AlertTarget {
  const host = hostName(cluster, member, naming);
  const hostnameAndPort = `${host}:${member.port}`;
  const replicaSet = replicaSetName(cluster.placement.mark, shardOf(member.id));
  return {
    key: `host:${cluster.id}:${member.id}`,
    clusterId: cluster.id,
    fields: {
      TYPE_NAME: typeNameOf(member, deployment),
      HOSTNAME: host,
      PORT: String(member.port),
      HOSTNAME_AND_PORT: hostnameAndPort,
      REPLICA_SET_NAME: replicaSet,
    },
    subject: { clusterName: cluster.name, hostnameAndPort, replicaSetName: replicaSet, userAlias: host },
  };
}

function typeNameOf({ id }: PlacedMember, deployment: Deployment | undefined): string {
  if (id.startsWith('router-')) return 'MONGOS';
  if (id.startsWith('config-')) return 'CONFIG';
  return deployment?.primaries.includes(id) ? 'PRIMARY' : 'SECONDARY';
}
