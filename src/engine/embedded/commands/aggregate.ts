import type { Command, Results } from '../command.ts';
import { bsonTypes, typeName } from '../language/bson-types.ts';
import { everything } from '../language/filter/index.ts';
import { toNumber } from '../language/numbers/convert.ts';
import { compilePipeline, type Pipeline } from '../language/pipeline/index.ts';
import { documentOf, type RawDocument } from '../language/raw.ts';
import { isNumber, textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { pipelineWrites, privilegesOfPipeline } from './aggregate-privileges.ts';
import { isChangeStream, openChangeStream } from './change-stream/open.ts';
import { command } from './define.ts';
import { environmentOf } from './environment.ts';
import { explain } from './explain.ts';
import { fields } from './fields.ts';
import { checkNamespace } from './namespace.ts';
import { documentsOf, type PlanOptions, plan, refuseCollation } from './plan.ts';
import { DocumentResults, firstBatch } from './results.ts';
import { surroundingsOf } from './surroundings.ts';

const cursorOptions = fields('aggregate.cursor', { batchSize: 'count' });

const aggregate = command({
  name: 'aggregate',
  privileges: privilegesOfPipeline,
  readConcern: true,
  writeConcern: true,
  fields: {
    aggregate: 'value!',
    pipeline: 'documents!',
    cursor: 'value',
    allowDiskUse: 'truth',
    bypassDocumentValidation: 'truth',
    collation: 'object',
    collectionUUID: 'any',
    explain: 'truth',
    hint: 'objectOrString',
    includeQueryStatsMetrics: 'truth',
    let: 'object',
  },
  run(args, request, cluster) {
    const name = collectionName(args.aggregate);
    const batchSize = batchSizeOf(args.cursor, args.explain === true);
    refuseCollation(args.collation);
    if (args.explain) return explain(request, cluster, false);
    const environment = environmentOf(args.let, cluster);
    const surroundings = surroundingsOf(request, name, cluster);
    if (isChangeStream(args.pipeline)) {
      return openChangeStream(
        name,
        args.pipeline,
        batchSize,
        { environment, surroundings },
        request,
        cluster,
      );
    }
    const pipeline = compilePipeline(args.pipeline, { environment, surroundings });
    checkSource(name, args.pipeline);
    const namespace = checkNamespace(request.database, name ?? '$cmd.aggregate');
    const collection = name === undefined ? undefined : cluster.store.collection(request.database, name);
    const results = runPipeline(pipeline, collection, args.hint);
    // A cursor that is read later is no part of the transaction in which a pipeline writes.
    if (pipelineWrites(request)) results.take(Number.POSITIVE_INFINITY);
    return firstBatch(results, { namespace, batchSize }, request, cluster);
  },
});

/** None for 1, which stands for the whole database. */
function collectionName(value: Value): string | undefined {
  if (value.type === bsonTypes.string) return textOf(value);
  if (!isNumber(value)) {
    const type = typeName(value.type);
    throw new ServerError('InvalidNamespace', `collection name has invalid type ${type}`);
  }
  if (toNumber(value) === 1) return undefined;
  throw new ServerError(
    'BadValue',
    "Invalid command format: the 'aggregate' field must specify a collection name or 1",
  );
}

/** Stages that need no collection, and so can stand first in a pipeline over the whole database. */
const withoutCollection: ReadonlySet<string> = new Set(['$documents']);

function checkSource(name: string | undefined, [stage]: readonly RawDocument[]): void {
  const first = stage?.first()?.name ?? '';
  const alone = withoutCollection.has(first);
  if (alone === (name === undefined)) return;
  if (alone) {
    throw new ServerError('InvalidNamespace', `'${first}' can only be run with {aggregate: 1}`);
  }
  throw new ServerError(
    'InvalidNamespace',
    first === ''
      ? '{aggregate: 1} is not valid for an empty pipeline.'
      : `{aggregate: 1} is not valid for '${first}'; a collection is required.`,
  );
}

function batchSizeOf(cursor: Value | undefined, explain: boolean): number | undefined {
  if (cursor?.type === bsonTypes.object) return cursorOptions.read(documentOf(cursor)).batchSize;
  if (cursor !== undefined) {
    throw new ServerError('TypeMismatch', 'cursor field must be missing or an object');
  }
  if (explain) return undefined;
  throw new ServerError(
    'FailedToParse',
    "The 'cursor' option is required, except for aggregate with the explain argument",
  );
}

function runPipeline(
  pipeline: Pipeline,
  collection: Collection | undefined,
  hint: PlanOptions['hint'],
): Results {
  const { path } = plan(pipeline.filter ?? everything, { hint, collection });
  const records = collection?.scan(path);
  const documents = pipeline.run(records === undefined ? [] : documentsOf(records));
  // What the stages hold back is theirs; only the scan below them can say that it read ahead.
  const source = records && { release: () => records.release(), ended: false };
  return new DocumentResults(documents[Symbol.iterator](), source);
}

/** The same command for pipelines that write. */
const writingAggregate: Command = { ...aggregate, writes: true };

export const aggregateCommands: readonly Command[] = [
  { ...aggregate, variant: (request) => (pipelineWrites(request) ? writingAggregate : aggregate) },
];
