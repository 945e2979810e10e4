import type { ClusterContext, CommandRequest, Reply } from '../../command.ts';
import { compilePipeline } from '../../language/pipeline/index.ts';
import type { PipelineOptions } from '../../language/pipeline/surroundings.ts';
import type { RawDocument } from '../../language/raw.ts';
import { ServerError } from '../../server-error.ts';
import { checkNamespace } from '../namespace.ts';
import { firstBatch } from '../results.ts';
import { streamOptions } from './options.ts';
import { ChangeStream } from './stream.ts';

/** Stages that make of one event one or none. */
const allowed: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$redact',
]);

export function isChangeStream([first]: readonly RawDocument[]): boolean {
  return first?.first()?.name === '$changeStream';
}

/** Opens a change stream on a collection, which need not be there yet. */
export function openChangeStream(
  name: string | undefined,
  [first, ...stages]: readonly RawDocument[],
  batchSize: number | undefined,
  options: PipelineOptions,
  request: CommandRequest,
  cluster: ClusterContext,
): Reply {
  const spec = first?.first();
  if (name === undefined || spec === undefined) {
    throw new ServerError(
      'CommandNotSupported',
      'a change stream on more than a collection is not supported',
    );
  }
  const { database } = request;
  const namespace = checkNamespace(database, name);
  for (const stage of stages) {
    const operator = stage.first()?.name ?? '';
    if (!allowed.has(operator)) {
      throw new ServerError('IllegalOperation', `${operator} is not permitted in a $changeStream pipeline`);
    }
  }
  const { oplog } = cluster.store;
  const { fullDocument, start } = streamOptions(spec, oplog);
  const watched = { database, name, fullDocument, find: () => cluster.store.collection(database, name) };
  const stream = new ChangeStream(oplog, watched, compilePipeline(stages, options), start);
  return firstBatch(stream, { namespace, batchSize, awaits: true }, request, cluster);
}
