import type { RawDocument } from '../../bson/raw.ts';
import { planShapeHash, queryShapeHash } from '../../planner/explain-shape.ts';
import { planCacheKey, plannedIndexes } from '../../planner/plan-cache-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Explained, Visited } from '../context/explainable.ts';
import type { CommandRequest } from '../context/request.ts';
import { environmentOf } from '../shared/environment.ts';
import { checkNamespace, collectionOf } from '../shared/namespace.ts';
import { commandShapeHash } from './command-shape.ts';
import { type ExplainedQuery, visit } from './explain-plan.ts';
import { parsedQuery } from './parsed-query.ts';
import { allowedIndexes, settingsOfShape } from './query-settings.ts';
import { type DescribedQuery, describingQuery, queryOfDistinct, queryOfWrite } from './query-text.ts';

interface Wanted extends Omit<ExplainedQuery, 'environment'> {
  /** The later stages of a pipeline that are part of the shape of the plan. */
  readonly later?: readonly RawDocument[];
}

/** Explains a query on the collection in the command. */
export function explained(
  inner: CommandRequest,
  cluster: ClusterContext,
  wanted: Wanted,
  run: boolean,
  shape: (visited: Visited) => Visited = (visited) => visited,
): Explained {
  // A pipeline without a collection, such as `{aggregate: 1}`, has the collection name `$cmd.aggregate`.
  const namespace = checkNamespace(inner.database, collectionOf(inner) || '$cmd.aggregate');
  const collection = cluster.store.collection(inner.database, collectionOf(inner));
  const environment = environmentOf(inner.body.document('let', inner.name), cluster);
  const commandShape = commandShapeHash(inner.name, inner.database, inner.body);
  const settings = settingsOfShape(commandShape, cluster);
  const allowed = allowedIndexes(settings, collection);
  const visited = describingQuery(
    namespace,
    () => describedQuery(wanted),
    () => shape(visit(collection, { ...wanted, environment, allowed }, run)),
  );
  const planHash = planShapeHash(wanted, wanted.later);
  return {
    namespace,
    filter: wanted.filter && parsedQuery(wanted.filter),
    visited,
    stages: [],
    querySettings: settings?.settings,
    queryShapeHash: commandShape ?? queryShapeHash(inner.name, wanted),
    planShapeHash: planHash,
    planCacheKey: planCacheKey(planHash, wanted.filter, collection, plannedIndexes(visited)),
  };
}

function describedQuery({ filter, sort, limit, projection, distinct, writing }: Wanted): DescribedQuery {
  if (distinct !== undefined) return queryOfDistinct(filter, distinct);
  return writing ? queryOfWrite(filter, sort) : { filter, sort, limit, projection };
}
