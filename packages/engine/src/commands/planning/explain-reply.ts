import { Double } from 'bson';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { Reply } from '../../message/reply.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Explainable, Explained, Explainer, Verbosity, Visited } from '../context/explainable.ts';
import type { CommandRequest } from '../context/request.ts';
import { collectionOf } from '../shared/namespace.ts';
import { findView, sourceOf } from '../views/view.ts';
import { commandShapeHash } from './command-shape.ts';
import { describePlan, describeRun } from './explain-plan.ts';

/**
 * Creates the reply to `explain`: the plan and statistics of a run without writes. With the verbosity
 * `queryPlanner`, nothing is run. A query on a view is converted to an aggregation, which `explainPipeline`
 * explains.
 */
export function explainReply(
  inner: CommandRequest,
  explainable: Explainable,
  explainPipeline: Explainer,
  cluster: ClusterContext,
  verbosity: Verbosity,
): Reply {
  const run = verbosity !== 'queryPlanner';
  const pipeline = viewAsPipeline(inner, explainable.stages, cluster);
  const began = cluster.clock.elapsed();
  const explained =
    pipeline === undefined
      ? explainable.explain(inner, cluster, run)
      : explainPipeline(pipeline, cluster, run);
  const millis = Math.round(cluster.clock.elapsed() - began);
  const { stages, searched } = explained;
  // The plan for reading the collection includes all stages of the pipeline.
  const isOptimizedAway = stages.length === 0 && (pipeline ?? inner).name === 'aggregate';
  const planned = {
    // The time of planning alone is not measured.
    queryPlanner: queryPlanner(explained, run ? 0 : millis, isOptimizedAway),
    ...(run && {
      executionStats: {
        ...executionStats(explained, millis),
        ...(verbosity === 'allPlansExecution' && { allPlansExecution: allPlans(explained, millis) }),
      },
    }),
  };
  const shown = searched ? stages : [{ $cursor: planned }, ...stages];
  return {
    explainVersion: '1',
    ...(stages.length === 0 ? planned : { stages: shown }),
    // The shape is that of the command, even if the command reads a view.
    queryShapeHash:
      (pipeline && commandShapeHash(inner.name, inner.database, inner.body)) ?? explained.queryShapeHash,
    command: {
      ...Object.fromEntries([...inner.body].map((field) => [field.name, field])),
      $db: inner.database,
    },
    serverInfo: serverInfo(inner, cluster),
    serverParameters,
  };
}

/** The server's memory limits, in bytes. */
const serverParameters = {
  internalQueryFacetBufferSizeBytes: 104_857_600,
  internalQueryFacetMaxOutputDocSizeBytes: 104_857_600,
  internalLookupStageIntermediateDocumentMaxSizeBytes: 104_857_600,
  internalDocumentSourceGroupMaxMemoryBytes: 104_857_600,
  internalQueryMaxBlockingSortMemoryUsageBytes: 104_857_600,
  internalQueryProhibitBlockingMergeOnMongoS: 0,
  internalQueryMaxAddToSetBytes: 104_857_600,
  internalDocumentSourceSetWindowFieldsMaxMemoryBytes: 104_857_600,
  internalQueryFrameworkControl: 'trySbeRestricted',
};

function queryPlanner(
  { namespace, filter, planShapeHash, planCacheKey, visited, querySettings }: Explained,
  optimizationTimeMillis: number,
  isOptimizedAway: boolean,
): object {
  return {
    namespace,
    parsedQuery: filter ?? {},
    indexFilterSet: visited.restricted === true,
    ...(querySettings === undefined ? {} : { querySettings }),
    queryHash: planShapeHash,
    planCacheShapeHash: planShapeHash,
    planCacheKey,
    optimizationTimeMillis,
    ...(isOptimizedAway ? { optimizedPipeline: true } : {}),
    // The planner considers every plan. Thus it reaches no limit and skips no index.
    maxIndexedOrSolutionsReached: false,
    maxIndexedAndSolutionsReached: false,
    maxScansToExplodeReached: false,
    prunedSimilarIndexes: false,
    winningPlan: { isCached: false, ...describePlan(visited.top) },
    rejectedPlans: (visited.rejected ?? []).map((top) => ({ isCached: false, ...describePlan(top) })),
  };
}

function executionStats({ visited }: Explained, executionTimeMillis: number): object {
  const { top, keysExamined, docsExamined }: Visited = visited;
  return {
    executionSuccess: true,
    nReturned: top.nReturned,
    executionTimeMillis,
    totalKeysExamined: keysExamined,
    totalDocsExamined: docsExamined,
    executionStages: { isCached: false, ...describeRun(top, executionTimeMillis) },
  };
}

/**
 * Returns the plans of all candidates, or no plans if there was only one candidate. Only the winning plan was executed.
 */
function allPlans({ visited }: Explained, millis: number): object[] {
  const { rejected = [], top, keysExamined, docsExamined } = visited;
  if (rejected.length === 0) return [];
  const planStats = (stage: PlanStage, totalKeysExamined: number, totalDocsExamined: number) => ({
    nReturned: stage.nReturned,
    executionTimeMillisEstimate: stage === top ? millis : 0,
    totalKeysExamined,
    totalDocsExamined,
    score: new Double(stage === top ? 2 : 1),
    executionStages: describeRun(stage, stage === top ? millis : 0),
  });
  return [planStats(top, keysExamined, docsExamined), ...rejected.map((stage) => planStats(stage, 0, 0))];
}

function serverInfo({ caller }: CommandRequest, { topology: { members, version } }: ClusterContext): object {
  const own = members.find(({ id }) => id === caller.member);
  return { host: own === undefined ? '' : own.host, port: own?.port ?? 0, version, gitVersion: 'unknown' };
}

/** Converts a command on a view to an equivalent aggregation on the underlying collection. */
function viewAsPipeline(
  inner: CommandRequest,
  stages: Explainable['stages'],
  { store }: ClusterContext,
): CommandRequest | undefined {
  if (stages === undefined || findView(store, inner.database, collectionOf(inner)) === undefined) {
    return undefined;
  }
  const { body } = inner;
  const own = stages(body);
  // Do not convert a change stream. It cannot read a view, and the code that explains it reports this error.
  if (own[0]?.first()?.name === '$changeStream') return undefined;
  const { name, pipeline } = sourceOf(store, inner.database, collectionOf(inner));
  const [collation, hint, variables] = [body.get('collation'), body.get('hint'), body.get('let')];
  const aggregate = encodeDocument({
    aggregate: name,
    pipeline: [...pipeline, ...own],
    cursor: {},
    collation,
    hint,
    let: variables,
  });
  return { ...inner, name: 'aggregate', body: new RawDocument(aggregate) };
}
