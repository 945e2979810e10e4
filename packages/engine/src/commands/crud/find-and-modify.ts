import type { Privilege } from '../../access/privilege.ts';
import { RawDocument } from '../../bson/raw.ts';
import { nullValue } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import { inheritMetadata } from '../../language/metadata.ts';
import { environmentAfter } from '../../language/pipeline/metadata.ts';
import { compileFindProjection } from '../../language/projection/find.ts';
import { compileUpdate, type Update } from '../../language/update/index.ts';
import type { Reply } from '../../message/reply.ts';
import { Matches, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { describingQuery, queryOfWrite } from '../planning/query-text.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { environmentOf } from '../shared/environment.ts';
import { bypassing, checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { runOnce } from '../shared/statements.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { collectionIn } from '../views/view.ts';
import { explainFindAndModify } from './explain-writes.ts';
import { store } from './insert.ts';
import { checkArguments, type FindAndModifyArguments, findAndModifyFields } from './modify-arguments.ts';
import { notOnTimeSeries } from './timeseries-update.ts';
import { wholeWithTimestamps } from './timestamps.ts';
import { firstMatch } from './update.ts';
import { updateOptions } from './update-statement.ts';
import { checkReplace } from './validation/rules.ts';
import { checkTarget } from './write-target.ts';

/** Modifies or removes the first match. Returns the document as it was before or after the change. */
const findAndModify = command({
  name: 'findAndModify',
  aliases: ['findandmodify'],
  ...writing,
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'none',
  explain: explainFindAndModify,
  privileges: privilegesToModify,
  fields: findAndModifyFields,
  run(args, request, cluster) {
    checkNamespace(request.database, args.findAndModify);
    checkArguments(args);
    checkTarget(args.findAndModify, undefined, request, cluster);
    return describingQuery(
      `${request.database}.${args.findAndModify}`,
      () => queryOfWrite(args.query, args.sort),
      () => run(args, request, cluster),
    );
  },
});

function run(args: FindAndModifyArguments, request: CommandRequest, cluster: ClusterContext): Reply {
  const collection = collectionIn(cluster.store, request.database, args.findAndModify);
  if (!args.remove && collection?.options.has('timeseries'))
    throw notOnTimeSeries('findAndModify with an update');
  const environment = withIndexes(
    environmentOf(args.let, cluster, comparisonOf(args.collation, collection)),
    collection,
  );
  const filter = compileFilter(args.query ?? RawDocument.empty, environment);
  const shape = shapeOf(args, filter, environment);
  if (args.remove) return runOnce(request, () => remove(args, filter, shape, request, cluster));
  const change = compileUpdate(
    wholeWithTimestamps(args.update ?? nullValue, request, cluster),
    updateOptions(args, environment, cluster),
  );
  return runOnce(request, () => update(args, filter, change, shape, request, cluster));
}

function privilegesToModify(request: CommandRequest): readonly Privilege[] {
  const { body } = request;
  if (body.bool('remove') === true) return onCollection('find', 'remove')(request);
  const upsert = body.bool('upsert') === true;
  return onCollection('find', 'update', ...(upsert ? ['insert'] : []), ...bypassing(request))(request);
}

type Shape = (document: RawDocument) => RawDocument;

function shapeOf(
  { fields: spec, new: after = false }: FindAndModifyArguments,
  filter: Filter,
  environment: Environment,
): Shape {
  if (spec === undefined || spec.isEmpty) return (document) => document;
  const projection = compileFindProjection(spec, environmentAfter(environment, filter));
  if (after && projection.positional) {
    throw new ServerError('BadValue', 'Cannot use a positional projection and return the new document');
  }
  return (document) => projection.apply(document, filter);
}

function remove(
  args: FindAndModifyArguments,
  filter: Filter,
  shape: Shape,
  { database }: CommandRequest,
  cluster: ClusterContext,
): Reply {
  const collection = cluster.store.collection(database, args.findAndModify);
  const record = target(collection, args, filter);
  if (collection === undefined || record === undefined) return { lastErrorObject: { n: 0 }, value: null };
  const value = shape(record.doc);
  collection.remove(record);
  return { lastErrorObject: { n: 1 }, value };
}

function update(
  args: FindAndModifyArguments,
  filter: Filter,
  change: Update,
  shape: Shape,
  request: CommandRequest,
  cluster: ClusterContext,
): Reply {
  const name = args.findAndModify;
  const collection = cluster.store.collection(request.database, name);
  const record = target(collection, args, filter);
  if (collection !== undefined && record !== undefined) {
    const { bytes, modified, difference } = change.apply(record.doc, filter);
    const after = new RawDocument(bytes);
    inheritMetadata(record.doc, after);
    const value = shape(args.new ? after : record.doc);
    if (modified) {
      checkReplace(collection, record.doc, after, request, cluster);
      collection.replace(record, after, difference?.());
    }
    return { lastErrorObject: { n: 1, updatedExisting: true }, value };
  }
  if (!args.upsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
  const document = new RawDocument(change.insertFrom(filter, cluster.random.newId));
  store(collectionToWrite(request, name, cluster), document, request, cluster);
  return {
    lastErrorObject: { n: 1, updatedExisting: false, upserted: document.get('_id') },
    value: args.new ? shape(document) : null,
  };
}

function target(
  collection: Collection | undefined,
  { sort, hint }: FindAndModifyArguments,
  filter: Filter,
): StoredRecord | undefined {
  // Ignore the sort of a query for one `_id`, because at most one document matches.
  const order =
    filter.root.leaf?.equals !== undefined && filter.root.leaf.path.text === '_id' ? undefined : sort;
  const { path, sorted } = plan(filter, { hint, sort: order, collection });
  if (collection === undefined) return undefined;
  const matches = new Matches(collection, path, filter, { expected: 1 });
  return firstMatch(matches, sorted ? undefined : order, filter, collection.running);
}

export const findAndModifyCommands: readonly Command[] = [findAndModify];
