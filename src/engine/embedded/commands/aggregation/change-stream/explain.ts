import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import type { Environment } from '../../../language/expression/environment.ts';
import { planShapeHash, queryShapeHash } from '../../../planner/explain-shape.ts';
import { OPLOG } from '../../../storage/oplog/name.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { Explained } from '../../context/explainable.ts';
import type { CommandRequest } from '../../context/request.ts';
import { visit } from '../../planning/explain-plan.ts';
import { collectionOf } from '../../shared/namespace.ts';
import { pipelineEnvironmentOf } from '../pipeline-environment.ts';
import { changeStreamOf } from './open.ts';
import type { StreamOptions } from './options.ts';

/** A stream reads the oplog, and makes events of what it finds there in stages of its own; nothing is waited for. */
export function explainChangeStream(
  specs: readonly RawDocument[],
  inner: CommandRequest,
  environment: Environment,
  cluster: ClusterContext,
): Explained {
  const name = collectionOf(inner) || undefined;
  const pipelineEnvironment = pipelineEnvironmentOf(inner, name, cluster);
  const { options } = changeStreamOf(name, specs, { environment, pipelineEnvironment }, inner, cluster);
  const [first, ...rest] = specs;
  const stage = first?.first();
  const spec = stage?.type === bsonTypes.object ? documentOf(stage) : undefined;
  const oplog = cluster.store.collection(OPLOG.database, OPLOG.name);
  return {
    namespace: `${OPLOG.database}.${OPLOG.name}`,
    filter: undefined,
    visited: visit(oplog, { environment }, false),
    stages: [...stagesOf(options, spec), ...rest],
    queryShapeHash: queryShapeHash(inner.name, specs),
    planShapeHash: planShapeHash([]),
  };
}

/** What the stage stands for. */
function stagesOf(options: StreamOptions, spec: RawDocument | undefined): object[] {
  const { fullDocument, fullDocumentBeforeChange } = options;
  const token = spec?.get('resumeAfter') ?? spec?.get('startAfter');
  const stages: object[] = [
    { stage: 'internalUnwindTransaction' },
    { stage: 'internalTransform', options: spec },
    { stage: 'internalCheckInvalidate' },
    token === undefined
      ? { stage: 'internalCheckResumability' }
      : { stage: 'internalCheckResumability', resumeToken: token },
  ];
  if (fullDocumentBeforeChange !== 'off') {
    stages.push({ stage: 'internalAddPreImage', fullDocumentBeforeChange });
  }
  if (fullDocument !== 'default') stages.push({ stage: 'internalAddPostImage', fullDocument });
  return stages.map((stage) => ({ $changeStream: stage }));
}
