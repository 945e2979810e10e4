import { logEngineOf } from '../access-history/index.ts';
import { requireDedicatedCluster } from '../clusters/index.ts';
import { extension } from '../services.ts';
import { isUserData, newestSlowQueries } from './log-lines.ts';
import { ClusterSuggestionQuery, ClusterSuggestions, DAY_MS, MAX_LINES, UnneededIndexes } from './schema.ts';
import type { SlowQuery } from './slow-query.ts';
import { suggestionsFor } from './suggest.ts';
import { indexUses, unneededIndexes } from './unneeded.ts';

const PATH = '/groups/{groupId}/clusters/{clusterName}/performanceAdvisor';
/** Shapes contain values of documents. */
const read = {
  tag: 'Performance Advisor',
  method: 'GET',
  access: 'Project Data Access Read Only',
  status: 200,
} as const;

export const suggestIndexesOfCluster = extension({
  id: 'listClusterSuggestedIndexes',
  ...read,
  path: `${PATH}/suggestedIndexes`,
  summary: 'Suggests indexes that would have made slow operations on a cluster faster.',
  query: ClusterSuggestionQuery,
  reply: ClusterSuggestions,
  async handler(call) {
    const { services, query } = call;
    const cluster = await call.read((tx) => requireDedicatedCluster(tx, call.params));
    const to = query.until ?? services.clock.now().getTime();
    const from = query.since ?? to - DAY_MS;
    const isWanted = ({ namespace }: SlowQuery) =>
      query.namespaces?.includes(namespace) ?? isUserData(namespace);
    const queries: SlowQuery[] = [];
    for (const { id } of cluster.placement.members) {
      const log = logEngineOf(services, cluster).logs(cluster.id, id, 'db', from, to);
      queries.push(...(await newestSlowQueries(log, MAX_LINES, isWanted)));
    }
    return { content: await suggestionsFor(services, cluster, queries, {}) };
  },
});

export const listUnneededIndexes = extension({
  id: 'listDropIndexes',
  ...read,
  path: `${PATH}/dropIndexSuggestions`,
  summary: 'Lists hidden indexes, indexes that begin another one, and indexes that no query uses.',
  reply: UnneededIndexes,
  async handler(call) {
    const { services } = call;
    const cluster = await call.read((tx) => requireDedicatedCluster(tx, call.params));
    const uses = await indexUses(logEngineOf(services, cluster), cluster.id);
    return { content: unneededIndexes(uses, services.clock.now()) };
  },
});
