import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../../language/environment.ts';
import { FieldReads } from '../../language/field-reads.ts';
import { addFilterReads } from '../../language/filter/field-reads.ts';
import { type Condition, compileFilter, everything, type Filter } from '../../language/filter/index.ts';
import { INDEX_KEY, RECORD_ID, SORT_KEY } from '../../language/metadata.ts';
import {
  checkSortMetadata,
  environmentAfter,
  projectionEnvironment,
  withSortKey,
} from '../../language/pipeline/metadata.ts';
import { compileFindProjection } from '../../language/projection/find.ts';
import { byNumber, compileSort, type Sort } from '../../language/sort.ts';
import { sortedWithin } from '../../language/spill/sorted.ts';
import { memoryOnly } from '../../language/workspace.ts';
import { coveredPlan } from '../../planner/covered.ts';
import { idLookupPath } from '../../planner/id-lookup.ts';
import { indexKeyOf, withIndexKey } from '../../planner/index-keys.ts';
import { planBetween, readLimits } from '../../planner/min-max.ts';
import { documentsOf, Matches, type Plan, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import { CappedCollection } from '../../storage/collection/capped.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import { Oplog } from '../../storage/oplog/oplog.ts';
import type { Command } from '../context/command.ts';
import type { Results } from '../context/cursors.ts';
import { cachePlan } from '../planning/plan-cache.ts';
import { applyQuerySettings } from '../planning/query-settings.ts';
import { describingQuery } from '../planning/query-text.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { environmentOf } from '../shared/environment.ts';
import type { Fields } from '../shared/fields.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { findFields } from '../shared/query-fields.ts';
import { DocumentResults, FIRST_BATCH, firstBatch } from '../shared/results.ts';
import { checkUuid } from '../shared/uuid.ts';
import { withDisk } from '../shared/workspace.ts';
import { findInView, notInAggregation } from '../views/find.ts';
import { findView } from '../views/view.ts';
import { explainFind } from './explain-reads.ts';
import { Lookahead } from './lookahead.ts';
import { documentsWithIds, preservingIds } from './record-ids.ts';
import { TailableResults } from './tailable-results.ts';

type FindArguments = Fields<typeof findFields>;

const find = command({
  name: 'find',
  ...reading,
  operation: 'query',
  transaction: 'statement',
  readConcern: 'snapshot',
  stableApi: true,
  unstableFields: [
    '$_requestResumeToken',
    '$_resumeAfter',
    '$_startAt',
    'awaitData',
    'max',
    'min',
    'noCursorTimeout',
    'oplogReplay',
    'readOnce',
    'returnKey',
    'showRecordId',
    'tailable',
  ],
  explain: explainFind,
  privileges: onCollection('find'),
  fields: findFields,
  run(args, request, cluster) {
    const namespace = checkNamespace(request.database, args.find);
    checkUuid(args.collectionUUID, request.database, args.find, cluster.store);
    const collection = cluster.store.collection(request.database, args.find);
    const allowed = applyQuerySettings(request, collection, cluster);
    checkTailableOptions(args);
    const { batchSize, singleBatch: single, noCursorTimeout: noTimeout } = args;
    const batch = { namespace, batchSize, single, noTimeout };
    if (collection === undefined && findView(cluster.store, request.database, args.find) !== undefined) {
      return firstBatch(
        findInView(args, environmentOf(args.let, cluster), request, cluster),
        batch,
        request,
        cluster,
      );
    }
    const comparison = comparisonOf(args.collation, collection);
    if (collection !== undefined && allowed === undefined && isPlain(args)) {
      const path = idLookupPath(args.filter, collection, comparison);
      if (path !== undefined) return firstBatch(foundBy(path, collection), batch, request, cluster);
    }
    const environment = withDisk(
      withIndexes(environmentOf(args.let, cluster, comparison), collection),
      args.allowDiskUse,
    );
    // A tailable query fails if the collection is not capped. If the collection does not exist, the query
    // returns an empty result.
    if (args.tailable && collection !== undefined) {
      const awaitsData = args.awaitData ?? false;
      return firstBatch(tail(args, collection, environment), { ...batch, awaitsData }, request, cluster);
    }
    if (collection === undefined) cluster.store.running.examined.path ??= 'EOF';
    return firstBatch(
      describingQuery(
        namespace,
        () => args,
        () => search(args, collection, environment, cluster.clock.now(), allowed),
      ),
      batch,
      request,
      cluster,
    );
  },
});

/**
 * The arguments with which a query by `_id` runs without the planner. With any other argument, the query is planned.
 */
const plain: ReadonlySet<string> = new Set([
  'find',
  'filter',
  'limit',
  'singleBatch',
  'batchSize',
  'collation',
]);

function isPlain(args: FindArguments): boolean {
  if (args.batchSize === 0) return false;
  for (const name in args) if (!plain.has(name)) return false;
  return true;
}

/** Returns the document that the access path finds, if it finds one. */
function foundBy(path: AccessPath, collection: Collection): Results {
  const found = collection.scan(path).next();
  return new DocumentResults([...(found === undefined ? [] : [found.doc])].values(), undefined, 1);
}

function checkTailableOptions(args: FindArguments): void {
  checkTailable(args);
  if (args.awaitData && !args.tailable) {
    throw new ServerError('FailedToParse', 'Cannot set awaitData without tailable');
  }
}

/** Opens a tailable cursor on a capped collection, in insertion order. */
function tail(args: FindArguments, collection: Collection, environment: Environment): Results {
  if (collection.options.has('timeseries')) throw notInAggregation('tailable');
  const isTailable = collection instanceof CappedCollection || collection instanceof Oplog;
  if (!isTailable) throw notCapped(collection.namespace);
  const filter = args.filter ? compileFilter(args.filter, environment) : everything;
  if (filter.scored || filter.near !== undefined) throw notTailable(filter);
  const projection =
    args.projection?.isEmpty === false ? compileFindProjection(args.projection, environment) : undefined;
  collection.running.examined.path ??= { kind: 'natural', reverse: false };
  return new TailableResults(collection, {
    filter,
    project: projection && ((document) => projection.apply(document, filter)),
    skip: args.skip ?? 0,
    limit: args.limit || Number.POSITIVE_INFINITY,
    after:
      collection instanceof Oplog ? collection.positionBefore(plan(filter, { collection }).path) : undefined,
  });
}

function notTailable({ scored }: Filter): ServerError {
  return new ServerError(
    'BadValue',
    scored
      ? 'text and tailable cursor not allowed in same query'
      : 'Tailable cursors and geo $near cannot be used together',
  );
}

function checkTailable({ tailable, sort, singleBatch }: FindArguments): void {
  if (!tailable) return;
  if (singleBatch)
    throw new ServerError('BadValue', 'cannot use tailable option with the singleBatch option');
  const first = sort?.first();
  if (sort === undefined || first === undefined) return;
  const natural = first.name === '$natural' && isNumber(first) && toNumber(first) === 1;
  if (natural && sort.after(first) === undefined) return;
  throw new ServerError('BadValue', 'cannot use tailable option with a sort other than {$natural: 1}');
}

function notCapped(namespace: string): ServerError {
  return new ServerError(
    'BadValue',
    `error processing query: ns=${namespace} tailable cursor requested on non capped collection`,
  );
}

/** Runs a query. Argument errors are reported even if the collection does not exist. */
function search(
  args: FindArguments,
  collection: Collection | undefined,
  environment: Environment,
  now: number,
  allowed: readonly Value[] | undefined,
): Results {
  const { skip = 0, sort: spec, hint } = args;
  const limit = args.limit || Number.POSITIVE_INFINITY;
  const filter = args.filter ? compileFilter(args.filter, environment) : everything;
  const requested = new Set<string>();
  const projection =
    args.projection?.isEmpty === false
      ? compileFindProjection(args.projection, {
          ...projectionEnvironment(environment, filter),
          asked: requested,
        })
      : undefined;
  if (projection?.positional && containsExpression(filter.root)) {
    throw new ServerError('QueryFeatureNotAllowed', '$expr is not allowed beside a positional projection');
  }
  const { comparison } = environment;
  const limits = readLimits(args.min, args.max);
  const options = { sort: spec, hint, collection, projection: args.projection, comparison, allowed };
  const whole = args.returnKey || args.showRecordId;
  const planned: Plan =
    limits === undefined
      ? coveredPlan(plan(filter, options), filter, whole ? {} : options)
      : planBetween(limits, { filter: args.filter, hint }, collection, comparison);
  const { path, sorted } = planned;
  if (planned.rejected !== undefined && collection !== undefined) cachePlan(collection, args, planned, now);
  const annotate = annotations(requested, path, spec, environment);
  const shape = projection && ((document: RawDocument) => projection.apply(annotate(document), filter));
  const shown = args.returnKey ? indexKeyOf(path) : shape;
  // With `returnKey`, the result contains only keys and no record ids.
  const withIds = args.showRecordId && !args.returnKey;
  const project = withIds ? preservingIds(shown) : shown;
  const sort = sorted && spec?.isEmpty === false ? undefined : orderOf(filter, spec, environment, limit);
  if (collection === undefined) return new DocumentResults([].values(), undefined, 0);
  const batch = skip + Math.min(limit, args.batchSize ?? FIRST_BATCH);
  const expected = sort === undefined && args.filter?.isEmpty !== false ? batch : undefined;
  // A sort with a limit discards most documents, so verify only the checksums of those that remain.
  const unchecked = sort !== undefined;
  const fields = sort?.fields;
  const matches = new Matches(collection, path, filter, { expected, unchecked, fields });
  const documents =
    withIds || requested.has(RECORD_ID)
      ? documentsWithIds(matches, withIds)
      : documentsOf(matches, collection.running);
  if (sort !== undefined) {
    const ahead = new Lookahead(Iterator.from(sort.apply(documents, skip + limit, matches)).drop(skip));
    return new DocumentResults(shaped(Iterator.from(ahead), 0, project), ahead);
  }
  return new DocumentResults(shaped(documents, skip, project), matches, limit);
}

/** Returns a function that adds the requested metadata to a document before its projection. */
function annotations(
  requested: ReadonlySet<string>,
  path: AccessPath,
  sort: RawDocument | undefined,
  environment: Environment,
): (document: RawDocument) => RawDocument {
  if (requested.has(SORT_KEY) && (sort === undefined || sort.isEmpty)) {
    throw new ServerError('BadValue', 'cannot use sortKey $meta projection without a sort');
  }
  const added = [
    ...(requested.has(INDEX_KEY) ? [withIndexKey(path)] : []),
    ...(sort !== undefined && requested.has(SORT_KEY) ? [withSortKey(compileSort(sort, environment))] : []),
  ];
  return (document) => added.reduce((annotated, add) => add(annotated), document);
}

function containsExpression({ operator, children = [] }: Condition): boolean {
  return operator === '$expr' || children.some(containsExpression);
}

/** A sort. `apply` receives documents whose checksums have not been verified yet. */
interface Ordering {
  apply(documents: Iterable<RawDocument>, limit: number, read: Matches): Iterable<RawDocument>;
  /**
   * The fields that the sort reads before it requests a whole document. If absent, the sort may read any
   * field.
   */
  readonly fields?: ReadonlySet<string> | undefined;
}

/** Returns the requested sort. Without one, `$near` sorts by distance. */
function orderOf(
  filter: Filter,
  spec: RawDocument | undefined,
  environment: Environment,
  most: number,
): Ordering | undefined {
  if (spec !== undefined && !spec.isEmpty) {
    const sort = compileSort(spec, environment);
    checkSortMetadata(sort, environmentAfter(noEnvironment, filter).metadata);
    return {
      fields: Number.isFinite(most) ? fieldsRead(filter, sort) : undefined,
      apply: (documents, limit, read) => sortedWithin(documents, sort, environment, limit, read),
    };
  }
  const { near } = filter;
  if (near === undefined) return undefined;
  const byDistance = byNumber((document) => near.distance(document) ?? 0, environment.statement);
  const { workspace: { noted: _, ...workspace } = memoryOnly } = environment;
  // The order is part of `$near`, so the statement does not count as sorted.
  const within = { ...environment, workspace };
  return {
    apply: (documents, limit, read) => sortedWithin(checked(documents, read), byDistance, within, limit),
  };
}

function fieldsRead(filter: Filter, { parts }: Sort): ReadonlySet<string> | undefined {
  const reads = new FieldReads();
  addFilterReads(reads, filter.root);
  for (const { path, meta } of parts) if (meta === undefined) reads.add(path.text);
  return reads.fields;
}

function* checked(documents: Iterable<RawDocument>, read: Matches): Generator<RawDocument> {
  for (const document of documents) {
    read.check();
    yield document;
  }
}

function shaped(
  documents: Iterable<RawDocument>,
  skip: number,
  project: ((document: RawDocument) => RawDocument) | undefined,
): Iterator<RawDocument> {
  const iterator = Iterator.from(documents);
  const rest = skip > 0 ? iterator.drop(skip) : iterator;
  return project === undefined ? rest : rest.map(project);
}

export const findCommands: readonly Command[] = [find];
