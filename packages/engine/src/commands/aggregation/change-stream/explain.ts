import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, RawDocument } from '../../../bson/raw.ts';
import type { Environment } from '../../../language/expression/environment.ts';
import { planShapeHash, queryShapeHash } from '../../../planner/explain-shape.ts';
import { OPLOG } from '../../../storage/oplog/name.ts';
import { timestampAt } from '../../../storage/oplog/time.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { Explained } from '../../context/explainable.ts';
import type { CommandRequest } from '../../context/request.ts';
import { visit } from '../../planning/explain-plan.ts';
import { collectionOf } from '../../shared/namespace.ts';
import { pipelineEnvironmentOf } from '../pipeline-environment.ts';
import { changeStreamOf, type Opened } from './open.ts';
import type { StreamOptions } from './options.ts';
import { encodeToken, type Token } from './token.ts';

/** A stream reads the oplog, and makes events of what it finds there in stages of its own; nothing is waited for. */
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
  return {
    namespace: `${OPLOG.database}.${OPLOG.name}`,
    filter: undefined,
    visited: visit(oplog, { environment }, false),
    stages: [...stagesOf(opened, spec), ...rest],
    queryShapeHash: queryShapeHash(inner.name, specs),
    planShapeHash: planShapeHash([]),
  };
}

/** What the stage stands for. */
function stagesOf({ options, start }: Opened, spec: RawDocument): object[] {
  const { fullDocument, fullDocumentBeforeChange } = options;
  const resumeToken = spec.get('resumeAfter') ?? spec.get('startAfter') ?? encodeToken(start);
  const stages: object[] = [
    { stage: 'internalUnwindTransaction' },
    { stage: 'internalTransform', options: shownOptions(options, start, spec) },
  ];
  // A stream of all databases never ends by itself.
  if (!options.allChangesForCluster) stages.push({ stage: 'internalCheckInvalidate' });
  stages.push({ stage: 'internalCheckResumability', resumeToken });
  if (fullDocumentBeforeChange !== 'off') {
    stages.push({ stage: 'internalAddPreImage', fullDocumentBeforeChange });
  }
  if (fullDocument !== 'default') stages.push({ stage: 'internalAddPostImage', fullDocument });
  if (start.event !== undefined) stages.push({ stage: 'internalEnsureResumeTokenPresent', resumeToken });
  return stages.map((stage) => ({ $changeStream: stage }));
}

/** With what counts where nothing is said, and the moment from which on it tells. */
function shownOptions(options: StreamOptions, start: Token, spec: RawDocument): object {
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
