import { describeDocument } from '../../../bson/describe.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { auditedNamespace } from '../../../observe/audited.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { Command } from '../../context/command.ts';
import type { CommandRequest } from '../../context/request.ts';
import { command } from '../../shared/define.ts';
import { checkDefinitions } from '../../shared/definitions.ts';
import { checkExplicitCreation } from '../../shared/explicit-creation.ts';
import { checkCase, checkNewNamespace, onCollection, rejectBuckets } from '../../shared/namespace.ts';
import { writing } from '../../shared/presets.ts';
import { checkView } from '../../views/definition.ts';
import { findView, storeView, type View } from '../../views/view.ts';
import { type CreateArguments, createFields } from './arguments.ts';
import { storeBuckets } from './buckets.ts';
import { checkArguments, collationOf, readOptions } from './options.ts';

const create = command({
  name: 'create',
  ...writing,
  transaction: 'statement',
  stableApi: true,
  unstableFields: ['autoIndexId', 'capped', 'indexOptionDefaults', 'max', 'size', 'storageEngine'],
  inOplog: true,
  audit: auditedNamespace('createCollection', 'create'),
  privileges: onCollection('createCollection'),
  fields: createFields,
  run(args, request, cluster) {
    checkNewNamespace(request.database, args.create);
    checkCase(request.database, cluster.store);
    if (args.timeseries === undefined) rejectBuckets(request.database, args.create);
    checkArguments(args);
    if (request.body.has('autocommit')) checkWithinTransaction(args);
    checkExplicitCreation(request, 'a collection');
    if (args.viewOn === undefined) createCollection(args, request, cluster);
    else createView(args, args.viewOn, request, cluster);
    return {};
  },
});

function checkWithinTransaction({ viewOn, timeseries }: CreateArguments): void {
  const what =
    viewOn !== undefined ? 'view' : timeseries !== undefined ? 'time-series collection' : undefined;
  if (what === undefined) return;
  throw new ServerError(
    'OperationNotSupportedInTransaction',
    `Cannot create a ${what} in a multi-document transaction.`,
  );
}

function createCollection(
  args: CreateArguments,
  { database, body, uuid }: CommandRequest,
  cluster: ClusterContext,
): void {
  const { store } = cluster;
  const name = args.create;
  const options = readOptions(args, database, cluster);
  const existing = store.collection(database, name);
  if (existing !== undefined) {
    // Creating an existing collection in a transaction is an error, even if the options are the same.
    if (body.has('autocommit') || !existing.options.equals(options))
      throw exists(`${database}.${name}`, existing.options);
    return;
  }
  if (findView(store, database, name) !== undefined) {
    throw new ServerError('NamespaceExists', `A view already exists. NS: ${database}.${name}`);
  }
  checkDefinitions(store, [options]);
  store.create(database, name, options, uuid);
  if (options.has('timeseries')) storeBuckets(store, database, name, options);
}

function createView(
  args: CreateArguments,
  on: string,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const { store } = cluster;
  const { database } = request;
  const name = args.create;
  if (args.timeseries !== undefined) {
    throw new ServerError('InvalidOptions', "'timeseries' is not allowed with 'viewOn'");
  }
  if (args.clusteredIndex !== undefined) {
    throw new ServerError(6026500, "The 'clusteredIndex' option is not supported with views");
  }
  const images = args.changeStreamPreAndPostImages;
  if (images?.enabled) {
    throw new ServerError('InvalidOptions', "'changeStreamPreAndPostImages' is not supported on views");
  }
  const collation = collationOf(args.collation);
  const pipeline = args.pipeline ?? [];
  const view: View = { name, on, pipeline, ...(collation ? { collation } : {}) };
  const existing = store.collection(database, name);
  if (existing !== undefined) throw exists(existing.namespace, existing.options);
  checkView(view, request, cluster);
  const other = findView(store, database, name);
  if (other !== undefined && !sameView(view, other)) {
    throw new ServerError('NamespaceExists', `A view already exists. NS: ${database}.${name}`);
  }
  if (other === undefined) storeView(store, database, view);
}

function sameView(one: View, other: View): boolean {
  if (one.on !== other.on || one.pipeline.length !== other.pipeline.length) return false;
  if (!one.pipeline.every((stage, i) => stage.equals(other.pipeline[i] as RawDocument))) return false;
  const [a, b] = [one.collation, other.collation];
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

function exists(namespace: string, options: RawDocument): ServerError {
  return new ServerError(
    'NamespaceExists',
    `namespace ${namespace} already exists, but with different options: ${describeDocument(options)}`,
  );
}

export const createCommands: readonly Command[] = [create];
