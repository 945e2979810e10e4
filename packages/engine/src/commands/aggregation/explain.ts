import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compilePipeline } from '../../language/pipeline/index.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import { isSearch } from '../../language/pipeline/system/search.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Explainable, Explainer } from '../context/explainable.ts';
import { explained } from '../planning/explained.ts';
import { express } from '../planning/express.ts';
import { environmentOf } from '../shared/environment.ts';
import { hintOf } from '../shared/hint.ts';
import { collectionOf } from '../shared/namespace.ts';
import { checkExplainedAggregate } from './aggregate-arguments.ts';
import { explainChangeStream } from './change-stream/explain.ts';
import { isChangeStream } from './change-stream/open.ts';
import { pipelineEnvironmentOf } from './pipeline-environment.ts';

const aggregate: Explainer = (inner, cluster, run) => {
  const { body } = inner;
  const specs = body.documents('pipeline', 'aggregate');
  if (specs === undefined) {
    throw new ServerError(40414, "BSON field 'aggregate.pipeline' is missing but a required field");
  }
  const name = collectionOf(inner);
  if (isChangeStream(specs)) {
    const environment = environmentOf(body.document('let', 'aggregate'), cluster);
    return explainChangeStream(specs, inner, environment, cluster);
  }
  const collection = cluster.store.collection(inner.database, name);
  const { sort } = compilePipeline(specs, {
    environment: withIndexes(environmentOf(body.document('let', 'aggregate'), cluster), collection),
    pipelineEnvironment: pipelineEnvironmentOf(inner, name, cluster, true),
  });
  const match = specs[0]?.get('$match');
  const filter = match?.type === bsonTypes.object ? documentOf(match) : undefined;
  const consumed = (filter === undefined ? 0 : 1) + (sort === undefined ? 0 : 1);
  const limit = specs[consumed]?.int('$limit');
  const hint = body.get('hint');
  const wanted = {
    filter,
    sort,
    limit,
    hint: hint === undefined ? undefined : hintOf(hint),
    collation: body.document('collation', 'aggregate'),
  };
  // Omit the stages that the plan for reading the collection already includes: filter, sort and limit.
  const rest = specs.slice(limit === undefined ? consumed : consumed + 1);
  const later = rest.filter((spec) => describeStage(spec.first()?.name ?? '')?.shapesPlan);
  return {
    ...explained(inner, cluster, { ...wanted, later }, run, (visited) =>
      rest.length === 0 ? express(visited, wanted) : visited,
    ),
    stages: rest,
    searched: isSearch(specs[0]?.first()?.name ?? ''),
  };
};

export const explainAggregate: Explainable = {
  explain: aggregate,
  check: checkExplainedAggregate,
  stages: (body) => body.documents('pipeline', 'aggregate') ?? [],
};
