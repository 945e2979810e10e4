import { logEngineOf } from '../access-history/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { collectionFacts } from './collections.ts';
import { presentShape, presentSuggestion } from './present.ts';
import type { SlowQuery } from './slow-query.ts';
import { shapesOf, suggestedIndexes } from './suggestions.ts';

interface Limits {
  readonly nExamples?: number | undefined;
  readonly nIndexes?: number | undefined;
}

/** Suggests indexes for the slow operations of a cluster. Returns them with the query shapes of these operations. */
export async function suggestionsFor(
  services: Services,
  cluster: ClusterModel,
  queries: readonly SlowQuery[],
  { nExamples = 5, nIndexes }: Limits,
) {
  const found = await shapesOf(queries);
  const facts = await collectionFacts(
    logEngineOf(services, cluster),
    cluster.id,
    found.map(({ namespace }) => namespace),
  );
  const shapes = found.filter(({ namespace }) => facts.has(namespace));
  const millis = queries.reduce((sum, query) => sum + query.millis, 0);
  const indexes = await suggestedIndexes(shapes, millis, (namespace) => facts.get(namespace)?.indexes ?? []);
  const shown = indexes.slice(0, nIndexes);
  const impact = new Set(shown.flatMap((index) => index.shapes));
  return {
    shapes: shapes.filter((shape) => impact.has(shape)).map((shape) => presentShape(shape, nExamples)),
    suggestedIndexes: shown.map((index) =>
      presentSuggestion(index, facts.get(index.namespace)?.averageSize ?? 0),
    ),
  };
}
