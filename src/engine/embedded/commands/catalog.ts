import { Binary } from 'bson';
import type { Command, CommandRequest, Privilege } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import type { RawDocument } from '../language/raw.ts';
import { boolOf, textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import type { Collection } from '../storage/collection.ts';
import { idKey } from '../storage/id-key.ts';
import { command } from './define.ts';
import { type Fields, fields, wrongType } from './fields.ts';
import { isIdKey } from './index-spec.ts';
import { checkDatabaseName, checkNamespace, onCollection } from './namespace.ts';
import { documentsOf } from './plan.ts';
import { usageOf } from './usage.ts';

/** Commands that change a collection as a whole. */

interface Name {
  readonly database: string;
  readonly collection: string;
}

const renameCollection = command({
  name: 'renameCollection',
  privileges: privilegesToRename,
  adminOnly: true,
  writes: true,
  fields: {
    renameCollection: 'string!',
    to: 'string!',
    dropTarget: 'any',
    stayTemp: 'bool',
    collectionUUID: 'any',
  },
  run({ renameCollection: from, to, dropTarget }, _request, cluster) {
    const source = nameOf(from);
    const target = nameOf(to);
    if (from === to) {
      throw new ServerError('IllegalOperation', "Can't rename a collection to itself");
    }
    const replaces = mayDrop(dropTarget);
    const { store } = cluster;
    const collection = store.collection(source.database, source.collection);
    if (collection === undefined) {
      throw new ServerError('NamespaceNotFound', `Source collection ${from} does not exist`);
    }
    const inTheWay = store.collection(target.database, target.collection);
    if (inTheWay !== undefined && !replaces(inTheWay)) {
      throw new ServerError('NamespaceExists', 'target namespace exists');
    }
    if (inTheWay !== undefined) store.drop(inTheWay);
    move(collection, target, store);
    usageOf(cluster).forget(from);
    return {};
  },
});

/** Whether the target may go: `dropTarget` says so, or is the UUID of the collection that may. */
function mayDrop(dropTarget: Value | undefined): (target: Collection) => boolean {
  if (dropTarget === undefined) return () => false;
  const { type, bytes, start } = dropTarget;
  if (type === bsonTypes.bool) return () => boolOf(dropTarget);
  // Binary data: its length, its subtype and what it holds.
  if (type === bsonTypes.binData && bytes[start + 4] === Binary.SUBTYPE_UUID) {
    const uuid = bytes.subarray(start + 5, dropTarget.end);
    return (target) => Buffer.compare(target.uuid, uuid) === 0;
  }
  throw wrongType(dropTarget, 'renameCollection.dropTarget', ['bool', 'binData']);
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

/** Into another collection, document by document: names are part of what the store keeps of each collection. */
function move(collection: Collection, { database, collection: name }: Name, store: ClusterStore): void {
  const made = store.create(database, name, collection.options);
  for (const document of documentsOf(collection.scan({ kind: 'natural', reverse: false }))) {
    made.insert(idKey(document), document);
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

const modifyFields = {
  collMod: 'collection!',
  index: 'object',
  validator: 'object',
  validationLevel: 'string',
  validationAction: 'string',
  viewOn: 'string',
  pipeline: 'documents',
  changeStreamPreAndPostImages: 'object',
  expireAfterSeconds: 'any',
  timeseries: 'object',
  cappedSize: 'number',
  cappedMax: 'number',
  dryRun: 'truth',
  recordPreImages: 'truth',
} as const;

const imagesReader = fields('collMod.changeStreamPreAndPostImages', { enabled: 'bool!' });

const collMod = command({
  name: 'collMod',
  privileges: onCollection('collMod'),
  writes: true,
  fields: modifyFields,
  run(args, { database }, { store }) {
    const namespace = checkNamespace(database, args.collMod);
    if (store.collection(database, args.collMod) === undefined) {
      throw new ServerError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    }
    refuseChange(args);
    if (args.index !== undefined) modifyIndex(args.index, namespace);
    return {};
  },
});

/** What no collection has, none can be given afterwards either. */
function refuseChange(args: Fields<typeof modifyFields>): void {
  if ((args.cappedSize ?? args.cappedMax) !== undefined) {
    throw new ServerError('InvalidOptions', 'Collection must be capped.');
  }
  if ((args.viewOn ?? args.pipeline) !== undefined) {
    throw new ServerError('InvalidOptions', 'option only supported on a view');
  }
  if (args.timeseries !== undefined) {
    throw new ServerError('InvalidOptions', 'option only supported on a time-series collection');
  }
  if (args.expireAfterSeconds !== undefined) {
    throw new ServerError(
      'InvalidOptions',
      "'expireAfterSeconds' is only supported on time-series and clustered collections",
    );
  }
  for (const option of ['validator', 'validationLevel', 'validationAction'] as const) {
    if (args[option] !== undefined) {
      throw new ServerError('CommandNotSupported', `the option '${option}' of collMod is not supported`);
    }
  }
  const images = args.changeStreamPreAndPostImages;
  if (images !== undefined && imagesReader.read(images).enabled) {
    throw new ServerError(
      'CommandNotSupported',
      "the option 'changeStreamPreAndPostImages' of collMod is not supported",
    );
  }
}

function modifyIndex(index: RawDocument, namespace: string): never {
  const name = index.string('name', 'collMod.index');
  const key = index.document('keyPattern', 'collMod.index');
  if (name === undefined && key === undefined) {
    throw new ServerError('InvalidOptions', 'Must specify either index name or key pattern');
  }
  if (name !== undefined && key !== undefined) {
    throw new ServerError('InvalidOptions', 'Cannot specify both key pattern and name.');
  }
  const isId = name === '_id_' || (key !== undefined && isIdKey(key));
  if (!isId) throw new ServerError('IndexNotFound', `cannot find index ${name ?? ''} for ns ${namespace}`);
  throw new ServerError('BadValue', 'the _id index cannot be modified');
}

export const catalogCommands: readonly Command[] = [renameCollection, collMod];
