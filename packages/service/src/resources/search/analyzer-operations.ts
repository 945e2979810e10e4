import { tokensOf } from '@portolan/engine/management';
import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { assertCan, type ClusterModel, requireSearched } from '../clusters/index.ts';
import { extension, operation } from '../services.ts';
import { changeAnalyzers } from './changes.ts';
import { analyzersOf, type Definition } from './rows.ts';
import { readNewAnalyzers } from './rules.ts';
import { Analysis, CustomAnalyzer, CustomAnalyzers, Tokens } from './schema.ts';

const present = (analyzers: readonly Definition[]) =>
  analyzers as ReadonlyArray<{ name: string; tokenizer: Definition }>;

/** Returns the cluster that a path names. Throws if its engine does not support custom analyzers of clusters. */
async function requireAnalyzed(tx: ReadTx, at: Parameters<typeof requireSearched>[1]): Promise<ClusterModel> {
  const cluster = await requireSearched(tx, at);
  assertCan(cluster, 'searchAnalyzers');
  return cluster;
}

export const listSearchAnalyzers = operation({
  id: 'listPlatformSearchAnalyzers',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/analyzers',
  summary: 'Lists the custom analyzers that all text indexes of a cluster can use.',
  access: 'Project Data Access Read Write or Search Index Editor',
  reply: CustomAnalyzer,
  list: 'array',
  status: 200,
  reachedFrom: { cluster: 'searchAnalyzers' },
  handler: (call) =>
    call.read(async (tx) => present(await analyzersOf(tx, (await requireAnalyzed(tx, call.params)).id))),
});

export const updateSearchAnalyzers = operation({
  id: 'updatePlatformSearchAnalyzers',
  tag: 'Platform Search',
  method: 'PUT',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/analyzers',
  summary: 'Replaces the custom analyzers of a cluster. Indexes that use a changed analyzer are rebuilt.',
  access: 'Project Data Access Admin or Search Index Editor',
  body: CustomAnalyzers,
  reply: CustomAnalyzer,
  list: 'array',
  status: 200,
  async handler(call) {
    const analyzers: readonly Definition[] = call.body.map(({ links: _, ...analyzer }) => analyzer);
    readNewAnalyzers(analyzers);
    return call.write(async (tx) => {
      await changeAnalyzers(tx, await requireAnalyzed(tx, call.params), analyzers, call.actor);
      return present(analyzers);
    });
  },
});

export const analyzeText = extension({
  id: 'analyzeText',
  summary: 'Returns the tokens that an analyzer produces for a text.',
  tag: 'Operator',
  surface: 'operator',
  method: 'POST',
  path: '/search/analysis',
  access: 'operator',
  body: Analysis,
  reply: Tokens,
  status: 200,
  async handler({ body: { analyzer, analyzers = [], text } }) {
    const tokens = await tokensOf(analyzer, readNewAnalyzers(analyzers as readonly Definition[]), text);
    if (tokens === undefined) throw generalFaults.INVALID_ENUM_VALUE(analyzer);
    return { tokens };
  },
});
