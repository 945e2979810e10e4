import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import type { PlanOptions } from '../../planner/plan.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Results } from '../context/cursors.ts';
import type { CommandRequest } from '../context/request.ts';
import { stage, viewResults } from './read.ts';

/** The arguments of `find` that apply to views. */
export interface ViewSearch {
  readonly find: string;
  readonly filter?: RawDocument;
  readonly projection?: RawDocument;
  readonly sort?: RawDocument;
  readonly skip?: number;
  readonly limit?: number;
  readonly hint?: PlanOptions['hint'];
  readonly collation?: RawDocument;
  readonly min?: RawDocument;
  readonly max?: RawDocument;
  readonly returnKey?: boolean;
  readonly tailable?: boolean;
}

/** Runs `find` on a view as a pipeline that follows the pipeline of the view. */
export function findInView(
  args: ViewSearch,
  environment: Environment,
  request: CommandRequest,
  cluster: ClusterContext,
): Results {
  for (const option of ['min', 'max', 'returnKey', 'tailable'] as const) {
    const value = args[option];
    if (value === undefined || value === false || (typeof value === 'object' && value.isEmpty)) continue;
    throw notInAggregation(option);
  }
  const { find, sort, hint, collation } = args;
  const natural = sort?.first()?.name === '$natural';
  const stages = stagesOfFind(args);
  return viewResults(find, stages, { environment, collation }, request, cluster, natural ? sort : hint);
}

/** Converts `find` to pipeline stages. */
export function stagesOfFind({
  filter,
  projection,
  sort,
  skip,
  limit,
}: Omit<ViewSearch, 'find' | 'hint'>): RawDocument[] {
  if (projection !== undefined) checkProjection(projection);
  const natural = sort?.first()?.name === '$natural';
  return [
    ...stage('$match', filter?.isEmpty ? undefined : filter),
    ...stage('$sort', sort?.isEmpty || natural ? undefined : sort),
    ...stage('$skip', skip || undefined),
    ...stage('$limit', limit || undefined),
    ...stage('$project', projection?.isEmpty ? undefined : projection),
  ];
}

/** Throws for projections with `$elemMatch`, which pipelines do not support. */
function checkProjection(projection: RawDocument): void {
  for (const field of projection) {
    const operator = field.type === bsonTypes.object ? documentOf(field).first()?.name : undefined;
    if (operator === '$elemMatch') throw notInAggregation('projection with $elemMatch');
  }
}

export function notInAggregation(option: string): ServerError {
  return new ServerError('InvalidPipelineOperator', `Option ${option} not supported in aggregation.`);
}
