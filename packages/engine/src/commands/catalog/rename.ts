import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { boolOf, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited } from '../../observe/audited.ts';
import { documentsOf } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { createdEntry } from '../indexes/create.ts';
import { command } from '../shared/define.ts';
import { byType, notNull } from '../shared/field-builders.ts';
import { checkCase, checkDatabaseName, checkNamespace } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { usageOf } from '../shared/usage.ts';
import { checkUuid } from '../shared/uuid.ts';
import { checkIsUuid } from '../shared/uuid-value.ts';
import { collectionIn, findView } from '../views/view.ts';

interface Name {
  readonly database: string;
  readonly collection: string;
}

/** A boolean, or a UUID. Null is an error. */
const flagOrUuid = notNull(
  byType({
    bool: boolOf,
    binData(value) {
      checkIsUuid(value);
      return value;
    },
  }),
);

const renameCollection = command({
  name: 'renameCollection',
  ...writing,
  database: 'admin',
  inOplog: true,
  audit: audited('renameCollection', ({ args }) => ({
    old: args.get('renameCollection'),
    new: args.get('to'),
  })),
  privileges: privilegesToRename,
  fields: {
    renameCollection: 'string!',
    to: 'string!',
    dropTarget: flagOrUuid,
    stayTemp: 'bool',
    collectionUUID: 'uuid',
  },
  run({ renameCollection: from, to, dropTarget, collectionUUID }, _request, cluster) {
    const source = nameOf(from);
    const target = nameOf(to);
    if (from === to) throw new ServerError('IllegalOperation', "Can't rename a collection to itself");
    const { store } = cluster;
    rejectSystem(source);
    rejectSystem(target);
    checkReplication(source, target);
    checkCase(target.database, store);
    const replaces = mayDrop(dropTarget, source, target, store);
    checkUuid(collectionUUID, source.database, source.collection, store);
    const collection = sourceOf(source, store);
    const inTheWay = store.collection(target.database, target.collection);
    const stays = !replaces || inTheWay?.options.has('timeseries') === true;
    const view = findView(store, target.database, target.collection);
    if (view !== undefined || (inTheWay !== undefined && stays)) {
      throw new ServerError('NamespaceExists', 'target namespace exists');
    }
    if (source.database === target.database) store.rename(collection, target.collection, inTheWay);
    else {
      if (inTheWay !== undefined) store.drop(inTheWay);
      copy(collection, target, store);
    }
    usageOf(cluster).forget(from);
    return {};
  },
});

function sourceOf({ database, collection: name }: Name, store: ClusterContext['store']): Collection {
  const collection = collectionIn(store, database, name);
  if (collection === undefined) {
    throw new ServerError('NamespaceNotFound', `Source collection ${database}.${name} does not exist`);
  }
  if (!collection.options.has('timeseries')) return collection;
  throw new ServerError('CommandNotSupportedOnView', `cannot rename view: ${collection.namespace}`);
}

/** True if an existing target may be dropped: `dropTarget` is true or the UUID of the target. */
function mayDrop(
  dropTarget: Value | boolean | undefined,
  source: Name,
  target: Name,
  store: ClusterContext['store'],
): boolean {
  if (typeof dropTarget !== 'object') return dropTarget === true;
  if (source.database !== target.database) {
    throw new ServerError('InvalidOptions', 'dropTarget as a UUID is only for renames within a database');
  }
  checkUuid(dropTarget, target.database, target.collection, store);
  return true;
}

function nameOf(namespace: string): Name {
  const dot = namespace.indexOf('.');
  const name = { database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) };
  if (dot < 1) throw new ServerError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  if (namespace.includes('$')) {
    throw new ServerError('IllegalOperation', `error with namespace: Invalid collection name: ${namespace}`);
  }
  checkDatabaseName(name.database);
  checkNamespace(name.database, name.collection);
  return name;
}

/** Throws for the oplog and for system collections, which cannot be renamed. */
function rejectSystem({ database, collection }: Name): void {
  const isOplog = database === 'local' && /^oplog\../.test(collection);
  if (!isOplog && !collection.startsWith('system.')) return;
  throw new ServerError('IllegalOperation', `cannot rename system collection: ${database}.${collection}`);
}

/** Throws for a rename into or out of the database `local`, because members do not replicate this database. */
function checkReplication(source: Name, target: Name): void {
  if ((source.database === 'local') === (target.database === 'local')) return;
  throw new ServerError(
    'IllegalOperation',
    'Cannot rename collections between a replicated and an unreplicated database',
  );
}

/** Copies a collection with its indexes to another database, and drops the original. */
function copy(
  collection: Collection,
  { database, collection: name }: Name,
  store: ClusterContext['store'],
): void {
  const created = store.create(database, name, collection.options);
  for (const { spec } of collection.indexes) {
    created.createIndex(spec);
    store.noteCommand(created, createdEntry(created, spec));
  }
  for (const document of documentsOf(
    collection.scan({ kind: 'natural', reverse: false }),
    collection.running,
  )) {
    created.insert(idKey(document), document);
  }
  store.drop(collection);
}

function privilegesToRename({ body }: CommandRequest): readonly Privilege[] {
  const [from, to] = ['renameCollection', 'to'].map((field) => {
    const value = body.get(field);
    const text = value?.type === bsonTypes.string ? textOf(value) : '';
    const dot = text.indexOf('.');
    return { database: text.slice(0, Math.max(dot, 0)), collection: text.slice(dot + 1) };
  });
  const dropTarget = body.get('dropTarget');
  const replaces = dropTarget !== undefined && dropTarget.type !== bsonTypes.null;
  if (from?.database === to?.database && !replaces) {
    return [{ action: 'renameCollectionSameDB', database: from?.database ?? '', collection: '' }];
  }
  return [
    { action: 'find', ...from },
    { action: 'dropCollection', ...from },
    { action: 'insert', ...to },
    { action: 'createIndex', ...to },
    ...(replaces ? [{ action: 'dropCollection', ...to }] : []),
  ];
}

export const renameCommands: readonly Command[] = [renameCollection];
