import type { MemberSamples } from '@portolan/engine/interface/engine';
import { type ClusterModel, can, runningOn } from '../../clusters/index.ts';
import type { Background } from '../../family.ts';
import { sampledRounds } from '../../monitoring/index.ts';
import type { Services } from '../../services.ts';
import { enabledAmong } from '../configurations/rows.ts';
import { liveAlertsAmong } from '../model/rows.ts';
import { ElectionFeed } from './elections.ts';
import { findingsOf } from './findings.ts';
import { reportFindings } from './round.ts';
import { Suggestions } from './suggestions.ts';

/** Event types that are derived from observing clusters and their samples. */
export const OBSERVED_EVENTS: readonly string[] = [
  'CLUSTER_MONGOS_IS_MISSING',
  'HOST_DOWN',
  'HOST_HAS_INDEX_SUGGESTIONS',
  'HOST_MONGOT_APPROACHING_STOP_REPLICATION',
  'HOST_MONGOT_CRASHING_OOM',
  'HOST_MONGOT_STOP_REPLICATION',
  'NO_PRIMARY',
  'OUTSIDE_FLEX_METRIC_THRESHOLD',
  'OUTSIDE_METRIC_THRESHOLD',
  'OUTSIDE_SERVERLESS_METRIC_THRESHOLD',
  'PRIMARY_ELECTED',
  'REPLICATION_OPLOG_WINDOW_RUNNING_OUT',
  'TOO_FEW_HEALTHY_MEMBERS',
  'TOO_MANY_ELECTIONS',
  'TOO_MANY_UNHEALTHY_MEMBERS',
];

/** Observes the clusters on reachable hosts at regular intervals of machine time. */
export function watchClusters(services: Services): Background {
  const memory = { elections: new ElectionFeed(), suggestions: new Suggestions(services) };
  return sampledRounds(services, {
    failed: 'clusters could not be observed for alerts',
    at: (host) => evaluateHost(services, host, memory),
  });
}

/** State that is kept from one observation to the next. */
interface WatchState {
  readonly elections: ElectionFeed;
  readonly suggestions: Suggestions;
}

async function evaluateHost(
  { store, engines, clock, naming }: Services,
  host: string,
  { elections, suggestions }: WatchState,
): Promise<void> {
  const { clusters, configurations, live } = await store.read(async (tx) => {
    const running = await runningOn(tx, host);
    const groupIds = [...new Set(running.map(({ groupId }) => groupId))];
    const configurations = await enabledAmong(tx, groupIds, OBSERVED_EVENTS);
    const watched = new Set(configurations.map(({ groupId }) => groupId));
    const clusters = running.filter(({ groupId }) => watched.has(groupId));
    const live = await liveAlertsAmong(
      tx,
      clusters.map(({ id }) => id),
    );
    return { clusters, configurations, live };
  });
  if (clusters.length === 0) return;
  const engine = engines.at(host);
  const samples = byCluster(await engine.newestSamples(clusters.map(({ id }) => id)));
  const findings = [];
  for (const cluster of clusters) {
    const deployment = await engine.describe(cluster.id);
    if (deployment) await elections.report(store, cluster, deployment, naming);
    const taken = samplesOf(samples.get(cluster.id), cluster);
    const isLogged = deployment !== undefined && can(cluster, 'logs');
    const suggested = isLogged ? await suggestions.of(cluster, deployment, taken) : undefined;
    findings.push(
      ...findingsOf({ cluster, deployment, naming, samples: taken, now: clock.now(), suggested }),
    );
  }
  await reportFindings(store, findings, { configurations, live }, clock.now());
}

function byCluster(all: readonly MemberSamples[]): ReadonlyMap<string, readonly MemberSamples[]> {
  return Map.groupBy(all, ({ id }) => id);
}

function samplesOf(found: readonly MemberSamples[] = [], { placement }: ClusterModel) {
  const known = new Set(placement.members.map(({ id }) => id));
  return new Map(
    found.filter(({ memberId }) => known.has(memberId)).map(({ memberId, samples }) => [memberId, samples]),
  );
}
