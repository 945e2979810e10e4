import { Binary } from 'bson';
import { authorize } from '../access/authorize.ts';
import type { Command, CommandRequest, Privilege } from '../command.ts';
import { compileFilter, everything } from '../language/filter/index.ts';
import { RawDocument } from '../language/raw.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { command } from './define.ts';
import { encodeDocument } from './encode.ts';
import { type Fields, fields } from './fields.ts';
import { checkNamespace, checkNewNamespace, onCollection } from './namespace.ts';
import { refuseCollation } from './plan.ts';
import { DocumentResults, firstBatch } from './results.ts';

const cursorOptions = fields('listCollections.cursor', { batchSize: 'count' });

const listCollections = command({
  name: 'listCollections',
  privileges: privilegesToList,
  fields: {
    listCollections: 'any',
    filter: 'object',
    nameOnly: 'bool',
    authorizedCollections: 'bool',
    cursor: 'object',
    includePendingDrops: 'truth',
  },
  run({ filter, nameOnly = false, authorizedCollections = false, cursor }, request, cluster) {
    const { database, caller } = request;
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ? cursorOptions.read(cursor) : {};
    const wanted = filter ? compileFilter(filter) : everything;
    const documents = cluster.store
      .collections(database)
      .filter(
        ({ name }) =>
          !authorizedCollections || authorize(caller.user, [{ action: 'find', database, collection: name }]),
      )
      .map((collection) => new RawDocument(encodeDocument(describeCollection(collection, nameOnly))))
      .filter((document) => wanted.matches(document));
    const results = new DocumentResults(documents.values(), undefined, documents.length);
    return firstBatch(
      results,
      { namespace: `${database}.$cmd.listCollections`, batchSize },
      request,
      cluster,
    );
  },
});

/** Names of the collections that one may read are told without the action. */
function privilegesToList(request: CommandRequest): Privilege[] {
  const { body, database } = request;
  const namesOfOwn = body.bool('nameOnly') === true && body.bool('authorizedCollections') === true;
  return namesOfOwn ? [] : [{ action: 'listCollections', database, collection: '' }];
}

function describeCollection({ name, uuid, options }: Collection, nameOnly: boolean): Record<string, unknown> {
  if (nameOnly) return { name, type: 'collection' };
  return {
    name,
    type: 'collection',
    options,
    info: { readOnly: false, uuid: new Binary(uuid, Binary.SUBTYPE_UUID) },
    idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
  };
}

const createFields = {
  create: 'collection!',
  autoIndexId: 'truth',
  capped: 'truth',
  changeStreamPreAndPostImages: 'object',
  clusteredIndex: 'any',
  collation: 'object',
  encryptedFields: 'object',
  expireAfterSeconds: 'any',
  flags: 'int',
  idIndex: 'object',
  indexOptionDefaults: 'object',
  max: 'number',
  pipeline: 'documents',
  recordIdsReplicated: 'truth',
  size: 'number',
  storageEngine: 'object',
  temp: 'truth',
  timeseries: 'object',
  validationAction: 'string',
  validationLevel: 'string',
  validator: 'object',
  viewOn: 'string',
} as const;

const create = command({
  name: 'create',
  privileges: onCollection('createCollection'),
  writes: true,
  fields: createFields,
  run(args, { database }, { store }) {
    const name = args.create;
    checkNewNamespace(database, name);
    refuseCollation(args.collation);
    refuseOptions(args);
    if (store.collection(database, name) === undefined) store.create(database, name, RawDocument.empty);
    return {};
  },
});

/** Options under which a collection would behave in ways that are not here, whatever their value. */
const unsupported = [
  'clusteredIndex',
  'encryptedFields',
  'expireAfterSeconds',
  'idIndex',
  'pipeline',
  'timeseries',
  'validationAction',
  'validationLevel',
  'validator',
  'viewOn',
] as const;

function refuseOptions(args: Fields<typeof createFields>): void {
  if (!args.capped && (args.size ?? args.max) !== undefined) {
    throw new ServerError(
      'InvalidOptions',
      "the 'capped' field needs to be true when either the 'size' or 'max' fields are present",
    );
  }
  const named = unsupported.find((option) => args[option] !== undefined);
  if (named !== undefined) throw notSupported(named);
  for (const option of ['capped', 'temp', 'recordIdsReplicated'] as const) {
    if (args[option] === true) throw notSupported(option);
  }
  for (const option of ['storageEngine', 'indexOptionDefaults'] as const) {
    if (args[option]?.isEmpty === false) throw notSupported(option);
  }
  if (args.changeStreamPreAndPostImages?.bool('enabled') === true) {
    throw notSupported('changeStreamPreAndPostImages');
  }
}

function notSupported(option: string): ServerError {
  return new ServerError('CommandNotSupported', `the option '${option}' of create is not supported`);
}

const drop = command({
  name: 'drop',
  privileges: onCollection('dropCollection'),
  writes: true,
  fields: { drop: 'collection!', collectionUUID: 'any' },
  run(args, { database }, { store }) {
    const namespace = checkNamespace(database, args.drop);
    const collection = store.collection(database, args.drop);
    if (collection === undefined) return {};
    store.drop(collection);
    return { nIndexesWas: 1, ns: namespace };
  },
});

export const collectionCommands: readonly Command[] = [listCollections, create, drop];
