import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/expression/environment.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import { knowingFrom } from '../../language/pipeline/metadata.ts';
import { compileFindProjection } from '../../language/projection/find.ts';
import { compileUpdate, type Update } from '../../language/update/index.ts';
import type { Reply } from '../../message/reply.ts';
import { Matches, type PlanOptions, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { Collection } from '../../storage/collection.ts';
import type { StoredRecord } from '../../storage/page.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { environmentOf } from '../shared/environment.ts';
import type { Fields } from '../shared/fields.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { runOnce } from '../shared/statements.ts';
import { collectionIn } from '../views/view.ts';
import { collectionToWrite, store } from './insert.ts';
import { refused } from './timeseries-update.ts';
import { wholeWithTimestamps } from './timestamps.ts';
import { checkStatement, firstMatch, updateOptions } from './update.ts';
import { checkReplace } from './validation/rules.ts';

export const findAndModifyFields = {
  findAndModify: 'collection!',
  query: 'object',
  sort: 'object',
  remove: 'truth',
  update: 'any',
  new: 'truth',
  fields: 'object',
  upsert: 'truth',
  bypassDocumentValidation: 'truth',
  collation: 'object',
  arrayFilters: 'documents',
  hint: 'value',
  let: 'object',
  stmtId: 'int',
  sampleId: 'any',
  allowShardKeyUpdatesWithoutFullShardKeyInQuery: 'truth',
} as const;

export type FindAndModifyArguments = Fields<typeof findAndModifyFields>;

/** Changes or removes the first document that matches, and answers it as it was before or after. */
const findAndModify = command({
  name: 'findAndModify',
  aliases: ['findandmodify'],
  ...writing,
  transaction: 'statement',
  retryable: true,
  stableApi: true,
  audit: 'nothing',
  privileges: privilegesToModify,
  fields: findAndModifyFields,
  run(args, request, cluster) {
    checkNamespace(request.database, args.findAndModify);
    checkArguments(args);
    const collection = collectionIn(cluster.store, request.database, args.findAndModify);
    if (!args.remove && collection?.options.has('timeseries')) throw refused('findAndModify with an update');
    const environment = withIndexes(
      environmentOf(args.let, cluster, comparisonOf(args.collation, collection)),
      collection,
    );
    const filter = compileFilter(args.query ?? RawDocument.empty, environment);
    const shape = shapeOf(args, filter, environment);
    if (args.remove) return runOnce(request, () => remove(args, filter, shape, request, cluster));
    const change = compileUpdate(
      wholeWithTimestamps(args.update ?? nullValue, cluster),
      updateOptions(args, environment, cluster),
    );
    return runOnce(request, () => update(args, filter, change, shape, request, cluster));
  },
});

function privilegesToModify(request: CommandRequest): readonly Privilege[] {
  const { body } = request;
  if (body.bool('remove') === true) return onCollection('find', 'remove')(request);
  const upsert = body.bool('upsert') === true;
  return onCollection('find', 'update', ...(upsert ? ['insert'] : []))(request);
}

/** Throws for arguments that do not go together. */
export function checkArguments(args: FindAndModifyArguments): void {
  const { remove: removes = false, update: change, upsert, arrayFilters } = args;
  if (!removes) {
    if (change === undefined) throw refuse('Either an update or remove=true must be specified');
    checkStatement({ q: RawDocument.empty, u: change, ...(arrayFilters ? { arrayFilters } : {}) });
    return;
  }
  if (change !== undefined) throw refuse('Cannot specify both an update and remove=true');
  if (upsert) throw refuse('Cannot specify both upsert=true and remove=true');
  if (args.new) {
    throw refuse(
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
  if (arrayFilters !== undefined) throw refuse('Cannot specify arrayFilters and remove=true');
}

function refuse(message: string): ServerError {
  return new ServerError('FailedToParse', message);
}

/** A hint that is of another type is refused with its own code here. */
export function hintOf(hint: Value | undefined): PlanOptions['hint'] {
  if (hint === undefined) return undefined;
  if (hint.type === bsonTypes.string) return textOf(hint);
  if (hint.type === bsonTypes.object) return documentOf(hint);
  throw refuse('Hint must be a string or an object');
}

type Shape = (document: RawDocument) => RawDocument;

function shapeOf(
  { fields: spec, new: after = false }: FindAndModifyArguments,
  filter: Filter,
  environment: Environment,
): Shape {
  if (spec === undefined || spec.isEmpty) return (document) => document;
  const projection = compileFindProjection(spec, knowingFrom(environment, filter));
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
    const { bytes, modified } = change.apply(record.doc, filter);
    const after = new RawDocument(bytes);
    const value = shape(args.new ? after : record.doc);
    if (modified) {
      checkReplace(collection, record.doc, after, request, cluster);
      collection.replace(record, after, change.kind === 'replacement');
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
  // One document at most has an _id: no order is asked for, nor looked at.
  const order =
    filter.root.leaf?.equals !== undefined && filter.root.leaf.path.text === '_id' ? undefined : sort;
  const { path, sorted } = plan(filter, { hint: hintOf(hint), sort: order, collection });
  if (collection === undefined) return undefined;
  const matches = new Matches(collection, path, filter, 1);
  return firstMatch(matches, sorted ? undefined : order, filter);
}

export const findAndModifyCommands: readonly Command[] = [findAndModify];
