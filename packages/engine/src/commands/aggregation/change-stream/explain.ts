import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, RawDocument } from '../../../bson/raw.ts';
import type { Environment } from '../../../language/environment.ts';
import { planShapeHash } from '../../../planner/explain-shape.ts';
import { planCacheKey } from '../../../planner/plan-cache-key.ts';
import { OPLOG } from '../../../storage/oplog/name.ts';
import { timestampAt } from '../../../storage/oplog/time.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { Explained } from '../../context/explainable.ts';
import type { CommandRequest } from '../../context/request.ts';
import { commandShapeHash } from '../../planning/command-shape.ts';
import { visit } from '../../planning/explain-plan.ts';
import { collectionOf } from '../../shared/namespace.ts';
import { pipelineEnvironmentOf } from '../pipeline-environment.ts';
import { changeStreamOf, type OpenedStream } from './open.ts';
import type { StreamOptions } from './options.ts';
import { encodeToken, type Token } from './token.ts';

/** Explains a change stream: a scan of the oplog, followed by internal stages that build events. */
export function explainChangeStream(
  specs: readonly RawDocument[],
  inner: CommandRequest,
  environment: Environment,
  cluster: ClusterContext,
): Explained {
  const name = collectionOf(inner) || undefined;
  const pipelineEnvironment = pipelineEnvironmentOf(inner, name, cluster);
  const opened = changeStreamOf(name, specs, { environment, pipelineEnvironment }, inner, cluster);
  const [first, ...rest] = specs;
  const stage = first?.first();
  const spec = stage?.type === bsonTypes.object ? documentOf(stage) : RawDocument.empty;
  const oplog = cluster.store.collection(OPLOG.database, OPLOG.name);
  const planHash = planShapeHash({});
  return {
    namespace: `${OPLOG.database}.${OPLOG.name}`,
    filter: undefined,
    visited: visit(oplog, { environment }, false),
    stages: [...stagesOf(opened, spec), ...rest],
    queryShapeHash: commandShapeHash(inner.name, inner.database, inner.body) ?? '',
    planShapeHash: planHash,
    planCacheKey: planCacheKey(planHash, undefined, oplog, new Set()),
  };
}

/** Returns the internal stages of `$changeStream`. */
function stagesOf({ options, start }: OpenedStream, spec: RawDocument): object[] {
  const { fullDocument, fullDocumentBeforeChange } = options;
  const resumeToken = spec.get('resumeAfter') ?? spec.get('startAfter') ?? encodeToken(start);
  const stages: object[] = [
    { stage: 'internalUnwindTransaction' },
    { stage: 'internalTransform', options: describedOptions(options, start, spec) },
  ];
  // A stream on all databases is never invalidated.
  if (!options.allChangesForCluster) stages.push({ stage: 'internalCheckInvalidate' });
  stages.push({ stage: 'internalCheckResumability', resumeToken });
  if (fullDocumentBeforeChange !== 'off') {
    stages.push({ stage: 'internalAddPreImage', fullDocumentBeforeChange });
  }
  if (fullDocument !== 'default') stages.push({ stage: 'internalAddPostImage', fullDocument });
  if (start.event !== undefined) stages.push({ stage: 'internalEnsureResumeTokenPresent', resumeToken });
  return stages.map((stage) => ({ $changeStream: stage }));
}

/** Returns the options, completed with defaults and the start time. */
function describedOptions(options: StreamOptions, start: Token, spec: RawDocument): object {
  const { fullDocument, fullDocumentBeforeChange } = options;
  const given = Object.fromEntries([...spec].map((option) => [option.name, option]));
  const isPlaced = ['resumeAfter', 'startAfter', 'startAtOperationTime'].some((name) => name in given);
  return {
    ...(isPlaced ? {} : { startAtOperationTime: timestampAt(start.position) }),
    ...given,
    fullDocument,
    fullDocumentBeforeChange,
  };
}
