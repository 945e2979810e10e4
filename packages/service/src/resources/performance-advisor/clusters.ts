import { logEngineOf } from '../access-history/index.ts';
import { assertCan, type ClusterModel, requireDedicatedCluster } from '../clusters/index.ts';
import { extension, type Services } from '../services.ts';
import { schemaAdvice } from './advice.ts';
import { inTurn } from './in-turn.ts';
import { isUserData, newestSlowQueries } from './log-lines.ts';
import {
  ClusterSuggestionQuery,
  ClusterSuggestions,
  DAY_MS,
  MAX_LINES,
  SchemaAdvice,
  UnneededIndexes,
} from './schema.ts';
import type { SlowQuery } from './slow-query.ts';
import { suggestionsFor } from './suggest.ts';
import { indexUses, unneededIndexes } from './unneeded.ts';

const PATH = '/groups/{groupId}/clusters/{clusterName}/performanceAdvisor';
/** Requires a data access role, since the shapes of queries contain values of documents. */
const read = {
  tag: 'Performance Advisor',
  method: 'GET',
  access: 'Project Data Access Read Only',
  status: 200,
} as const;

/** Whether the cluster has no running node, so that its collections cannot be examined. */
const isStill = ({ paused, state }: ClusterModel) => paused || state === 'CREATING';

export const suggestIndexesOfCluster = extension({
  id: 'listClusterSuggestedIndexes',
  ...read,
  path: `${PATH}/suggestedIndexes`,
  summary: 'Suggests indexes for the slow operations of a cluster.',
  query: ClusterSuggestionQuery,
  reply: ClusterSuggestions,
  async handler(call) {
    const { services, query } = call;
    const cluster = await call.read((tx) => requireDedicatedCluster(tx, call.params));
    assertCan(cluster, 'logs');
    return inTurn(async () => {
      const queries = await slowQueriesIn(services, cluster, query);
      return { content: await suggestionsFor(services, cluster, queries, {}) };
    });
  },
});

/** Returns the newest slow operations of each node of a cluster. */
async function slowQueriesIn(
  services: Services,
  cluster: ClusterModel,
  { since, until, namespaces }: ClusterSuggestionQuery,
): Promise<readonly SlowQuery[]> {
  const to = until ?? services.clock.now().getTime();
  const from = since ?? to - DAY_MS;
  const isWanted = ({ namespace }: SlowQuery) => namespaces?.includes(namespace) ?? isUserData(namespace);
  const queries: SlowQuery[] = [];
  for (const { id } of cluster.placement.members) {
    const log = logEngineOf(services, cluster).logs(cluster.id, id, 'db', from, to);
    for (const query of await newestSlowQueries(log, MAX_LINES, isWanted)) queries.push(query);
  }
  return queries;
}

export const listSchemaAdvice = extension({
  id: 'listSchemaAdvice',
  ...read,
  path: `${PATH}/schemaAdvice`,
  summary: 'Recommends changes to the documents, indexes and queries of a cluster.',
  reply: SchemaAdvice,
  async handler(call) {
    const { services } = call;
    const cluster = await call.read((tx) => requireDedicatedCluster(tx, call.params));
    if (isStill(cluster)) return { content: { recommendations: [] } };
    assertCan(cluster, 'logs');
    const engine = logEngineOf(services, cluster);
    return inTurn(async () => {
      const queries = await slowQueriesIn(services, cluster, {});
      return { content: { recommendations: await schemaAdvice(engine, cluster, queries) } };
    });
  },
});

export const listUnneededIndexes = extension({
  id: 'listDropIndexes',
  ...read,
  path: `${PATH}/dropIndexSuggestions`,
  summary: 'Lists indexes of a cluster that can be dropped: hidden, redundant and unused ones.',
  reply: UnneededIndexes,
  async handler(call) {
    const { services } = call;
    const cluster = await call.read((tx) => requireDedicatedCluster(tx, call.params));
    if (isStill(cluster)) return { content: await unneededIndexes([], services.clock.now()) };
    assertCan(cluster, 'logs');
    return inTurn(async () => {
      const uses = await indexUses(logEngineOf(services, cluster), cluster);
      return { content: await unneededIndexes(uses, services.clock.now()) };
    });
  },
});
