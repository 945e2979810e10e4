import type { Command, Results } from '../command.ts';
import { bsonTypes, typeName } from '../language/bson-types.ts';
import { everything } from '../language/filter/index.ts';
import { toNumber } from '../language/numbers/convert.ts';
import { compilePipeline, type Pipeline } from '../language/pipeline/index.ts';
import { documentOf, type RawDocument } from '../language/raw.ts';
import { isNumber, textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { command } from './define.ts';
import { fields } from './fields.ts';
import { checkNamespace, onCollection } from './namespace.ts';
import { documentsOf, type PlanOptions, plan, refuseCollation } from './plan.ts';
import { DocumentResults, firstBatch } from './results.ts';

const cursorOptions = fields('aggregate.cursor', { batchSize: 'count' });

const aggregate = command({
  name: 'aggregate',
  privileges: onCollection('find'),
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
    const pipeline = compilePipeline(args.pipeline);
    if (name === undefined) throw needsCollection(args.pipeline);
    const namespace = checkNamespace(request.database, name);
    if (args.explain) throw new ServerError('CommandNotSupported', 'aggregate with explain is not supported');
    const collection = cluster.store.collection(request.database, name);
    const results = runPipeline(pipeline, collection, args.hint);
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

/** No stage that is here makes documents of its own. */
function needsCollection([stage]: readonly RawDocument[]): ServerError {
  const first = stage?.first()?.name;
  return new ServerError(
    'InvalidNamespace',
    first === undefined
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

export const aggregateCommands: readonly Command[] = [aggregate];
