import { filterOf, type SlowQuery, sortOf } from './slow-query.ts';
import type { Shape, SuggestedIndex } from './suggestions.ts';

export function presentMetrics({ command, planSummary, keysExamined, docsExamined, ...query }: SlowQuery) {
  const returned = query.nreturned ?? 0;
  const ratio = (examined: number) => examined / Math.max(returned, 1);
  return {
    docsExamined,
    docsExaminedReturnedRatio: ratio(docsExamined),
    docsReturned: returned,
    fromUserConnection: true,
    hasIndexCoverage: planSummary !== undefined && planSummary !== 'COLLSCAN',
    hasSort: Object.keys(sortOf(command)).length > 0,
    keysExamined,
    keysExaminedReturnedRatio: ratio(keysExamined),
    numYields: 0,
    operationExecutionTime: query.millis,
  };
}

export function presentShape({ id, namespace, queries }: Shape, examples: number) {
  const sum = (of: (query: SlowQuery) => number) => queries.reduce((total, query) => total + of(query), 0);
  const returned = sum(({ nreturned = 0 }) => nreturned);
  const newest = examples === 0 ? [] : queries.slice(-examples);
  return {
    avgMs: Math.round(sum(({ millis }) => millis) / queries.length),
    count: queries.length,
    id,
    inefficiencyScore: Math.round(sum(({ docsExamined }) => docsExamined) / Math.max(returned, 1)),
    namespace,
    operations: newest.map((query) => ({
      predicates: [filterOf(query.command) as Record<string, unknown>],
      stats: {
        ms: query.millis,
        nReturned: query.nreturned ?? 0,
        nScanned: query.docsExamined,
        ts: Math.floor(query.time / 1000),
      },
    })),
  };
}

export function presentSuggestion(
  { id, namespace, keys, shapes, weight }: SuggestedIndex,
  avgObjSize: number,
) {
  return {
    avgObjSize,
    id,
    impact: shapes.map((shape) => shape.id),
    index: keys.map(([field, direction]) => ({ [field]: direction })),
    namespace,
    weight,
  };
}
