import type { MemberSamples } from '@portolan/engine/interface/engine';
import { nextTurn } from '@portolan/foundation/next-turn';
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

/** Evaluates one project after another, since the configurations of each can have some megabytes. */
async function evaluateHost(services: Services, host: string, state: WatchState): Promise<void> {
  const running = await services.store.read((tx) => runningOn(tx, host));
  for (const [groupId, clusters] of Map.groupBy(running, ({ groupId }) => groupId)) {
    await evaluateProject(services, host, { groupId, clusters, ...state });
    await nextTurn();
  }
}

/** The clusters of a project that run on a host. */
interface Watched extends WatchState {
  readonly groupId: string;
  readonly clusters: readonly ClusterModel[];
}

async function evaluateProject(
  { store, engines, clock, naming }: Services,
  host: string,
  { groupId, clusters, elections, suggestions }: Watched,
): Promise<void> {
  const { configurations, live } = await store.read(async (tx) => {
    const configurations = await enabledAmong(tx, [groupId], OBSERVED_EVENTS);
    const ids = configurations.length === 0 ? [] : clusters.map(({ id }) => id);
    return { configurations, live: await liveAlertsAmong(tx, ids) };
  });
  if (configurations.length === 0) return;
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
