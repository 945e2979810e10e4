import type { Command, Results } from '../command.ts';
import type { Environment } from '../language/expression/environment.ts';
import { compileFilter, everything } from '../language/filter/index.ts';
import { compileProjection, type Projection } from '../language/projection/index.ts';
import type { RawDocument } from '../language/raw.ts';
import { compileSort } from '../language/sort.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { command } from './define.ts';
import { environmentOf } from './environment.ts';
import type { Fields } from './fields.ts';
import { checkNamespace, onCollection } from './namespace.ts';
import { documentsOf, Matches, plan, refuseCollation } from './plan.ts';
import { DocumentResults, FIRST_BATCH, firstBatch } from './results.ts';

export const findFields = {
  find: 'collection!',
  filter: 'object',
  projection: 'object',
  sort: 'object',
  hint: 'objectOrString',
  skip: 'count',
  limit: 'count',
  batchSize: 'count',
  singleBatch: 'truth',
  allowDiskUse: 'truth',
  allowPartialResults: 'truth',
  awaitData: 'truth',
  collation: 'object',
  includeQueryStatsMetrics: 'truth',
  let: 'object',
  max: 'object',
  min: 'object',
  noCursorTimeout: 'truth',
  oplogReplay: 'truth',
  returnKey: 'truth',
  showRecordId: 'truth',
  tailable: 'truth',
  term: 'long',
} as const;

type FindArguments = Fields<typeof findFields>;

const find = command({
  name: 'find',
  privileges: onCollection('find'),
  readConcern: true,
  fields: findFields,
  run(args, request, cluster) {
    const namespace = checkNamespace(request.database, args.find);
    const collection = cluster.store.collection(request.database, args.find);
    refuseOptions(args);
    // Of a collection that is not there it is not known whether it will be capped; none of those that are is.
    if (args.tailable && collection !== undefined) throw notCapped(namespace);
    const results = search(args, collection, environmentOf(args.let, cluster));
    const { batchSize, singleBatch: single, noCursorTimeout: lasting } = args;
    return firstBatch(results, { namespace, batchSize, single, lasting }, request, cluster);
  },
});

function refuseOptions(args: FindArguments): void {
  refuseCollation(args.collation);
  if (args.awaitData && !args.tailable) {
    throw new ServerError('FailedToParse', 'Cannot set awaitData without tailable');
  }
  for (const option of ['min', 'max'] as const) {
    if (args[option]?.isEmpty === false) throw notSupported(option);
  }
  for (const option of ['returnKey', 'showRecordId'] as const) if (args[option]) throw notSupported(option);
}

function notCapped(namespace: string): ServerError {
  return new ServerError(
    'BadValue',
    `error processing query: ns=${namespace} tailable cursor requested on non capped collection`,
  );
}

function notSupported(option: string): ServerError {
  return new ServerError('CommandNotSupported', `the option '${option}' of find is not supported`);
}

/** Everything that can be wrong with the arguments is found whether the collection is there or not. */
function search(args: FindArguments, collection: Collection | undefined, environment: Environment): Results {
  const { skip = 0, sort: spec, hint } = args;
  const limit = args.limit || Number.POSITIVE_INFINITY;
  const filter = args.filter ? compileFilter(args.filter, environment) : everything;
  const projection =
    args.projection?.isEmpty === false ? compileProjection(args.projection, environment) : undefined;
  const { path, sorted } = plan(filter, { sort: spec, hint, collection });
  const sort = sorted || spec === undefined ? undefined : compileSort(spec);
  if (collection === undefined) return new DocumentResults([].values(), undefined, 0);
  const batch = skip + Math.min(limit, args.batchSize ?? FIRST_BATCH);
  const expected = sort === undefined && args.filter?.isEmpty !== false ? batch : undefined;
  const matches = new Matches(collection, path, filter, expected);
  if (sort !== undefined) {
    const documents = sort.apply(documentsOf(matches), skip + limit).slice(skip);
    return new DocumentResults(shaped(documents, 0, projection), undefined, documents.length);
  }
  return new DocumentResults(shaped(documentsOf(matches), skip, projection), matches, limit);
}

function shaped(
  documents: Iterable<RawDocument>,
  skip: number,
  projection: Projection | undefined,
): Iterator<RawDocument> {
  const iterator = Iterator.from(documents);
  const rest = skip > 0 ? iterator.drop(skip) : iterator;
  return projection === undefined ? rest : rest.map((document) => projection.apply(document));
}

export const findCommands: readonly Command[] = [find];
