import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { ownDatabases } from '../../../interface/namespaces.ts';
import { unknownStage } from '../../../language/pipeline/compile.ts';
import { compilePipeline } from '../../../language/pipeline/index.ts';
import { type PipelineOptions, withoutCollections } from '../../../language/pipeline/pipeline-environment.ts';
import { isWithin } from '../../../language/pipeline/placement.ts';
import { describeStage } from '../../../language/pipeline/stages.ts';
import type { Reply } from '../../../message/reply.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { CommandRequest } from '../../context/request.ts';
import { checkNamespace } from '../../shared/namespace.ts';
import { firstBatch } from '../../shared/results.ts';
import { rejectView } from '../../views/view.ts';
import { type StreamOptions, streamOptions } from './options.ts';
import { selectionOf } from './selection.ts';
import { ChangeStream } from './stream.ts';
import type { Token } from './token.ts';
import type { Watched } from './watched.ts';

const SPLIT = '$changeStreamSplitLargeEvent';

export function isChangeStream([first]: readonly RawDocument[]): boolean {
  return first?.first()?.name === '$changeStream';
}

/** Throws for a view or a time series, because neither supports change streams. */
export function rejectUnwatched(
  name: string | undefined,
  database: string,
  store: ClusterContext['store'],
): void {
  if (name === undefined) return;
  const collection = store.collection(database, name);
  if (collection === undefined) rejectView(store, database, name);
  if (!collection?.options.has('timeseries')) return;
  throw new ServerError(
    'CommandNotSupportedOnView',
    `Namespace ${collection.namespace} is a timeseries collection`,
  );
}

/** Opens a change stream on a collection, a database, or all databases. The collection need not exist. */
export function openChangeStream(
  name: string | undefined,
  pipeline: readonly RawDocument[],
  batchSize: number | undefined,
  pipelineOptions: PipelineOptions,
  request: CommandRequest,
  cluster: ClusterContext,
): Reply {
  const { stream, namespace } = changeStreamOf(name, pipeline, pipelineOptions, request, cluster);
  return firstBatch(stream, { namespace, batchSize, awaitsData: true }, request, cluster);
}

export interface OpenedStream {
  readonly stream: ChangeStream;
  readonly namespace: string;
  readonly options: StreamOptions;
  readonly start: Token;
}

/** Throws if the pipeline is not a valid change stream. */
export function changeStreamOf(
  name: string | undefined,
  [first, ...stages]: readonly RawDocument[],
  pipelineOptions: PipelineOptions,
  { database }: CommandRequest,
  { store }: ClusterContext,
): OpenedStream {
  const namespace = checkNamespace(database, name ?? '$cmd.aggregate');
  rejectUnwatched(name, database, store);
  const spec = first?.first();
  if (spec === undefined) throw new Error('a change stream requires a first stage');
  const { options, start } = streamOptions(spec, store.oplog);
  const watched: Watched = {
    scope: scopeOf(name, database, options),
    database,
    name: name ?? '',
    options,
    find: (other, collection) => store.collection(other, collection),
  };
  const { shaping, splits } = stagesAfter(stages);
  // The collection need not exist, because events come from the oplog.
  const { pipelineEnvironment: around = withoutCollections } = pipelineOptions;
  const pipelineEnvironment = { ...around, namespace: { database, collection: name ?? '$cmd.aggregate' } };
  const compiled = compilePipeline(shaping, { ...pipelineOptions, pipelineEnvironment });
  const selects = selectionOf(shaping, pipelineOptions.environment);
  const stream = new ChangeStream(store.oplog, watched, { pipeline: compiled, selects, splits }, start);
  return { stream, namespace, options, start };
}

function scopeOf(
  name: string | undefined,
  database: string,
  { allChangesForCluster, showSystemEvents }: StreamOptions,
): Watched['scope'] {
  if (allChangesForCluster) {
    if (database === 'admin' && name === undefined) return 'cluster';
    throw new ServerError(
      'InvalidOptions',
      "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and with " +
        `no collection name; found ${database}.${name ?? '$cmd.aggregate'}`,
    );
  }
  if (ownDatabases.has(database)) throw onInternal(`${database} database`);
  if (name?.startsWith('system.') && !showSystemEvents) throw onInternal(`${database}.${name} collection`);
  return name === undefined ? 'database' : 'collection';
}

function onInternal(what: string): ServerError {
  return new ServerError('InvalidNamespace', `$changeStream may not be opened on the internal ${what}`);
}

/** Separates `$changeStreamSplitLargeEvent` from the other stages, because this stage runs after all others. */
function stagesAfter(stages: readonly RawDocument[]): { shaping: RawDocument[]; splits: boolean } {
  const shaping: RawDocument[] = [];
  // Check all stage names before their positions, as the server does.
  for (const stage of stages) {
    const name = stage.first()?.name;
    if (name !== undefined && describeStage(name) === undefined) throw unknownStage(name);
  }
  stages.forEach((stage, i) => {
    const first = stage.first();
    const operator = first?.name ?? '';
    if (first !== undefined && operator === SPLIT) {
      if (first.type !== bsonTypes.object || !documentOf(first).isEmpty) {
        throw new ServerError(7_182_800, `${SPLIT} spec should be an empty object`);
      }
      if (i < stages.length - 1) {
        throw new ServerError(7_182_802, `${SPLIT} must be the last stage in the pipeline`);
      }
    } else if (operator === '$changeStream') {
      throw new ServerError(40_602, '$changeStream is only valid as the first stage in a pipeline');
    } else if (
      first === undefined ||
      !isWithin(describeStage(operator)?.within.changeStream ?? false, first)
    ) {
      throw new ServerError('IllegalOperation', `${operator} is not permitted in a $changeStream pipeline`);
    } else shaping.push(stage);
  });
  return { shaping, splits: shaping.length < stages.length };
}
