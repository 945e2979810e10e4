import type { Command } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { RawDocument } from '../language/raw.ts';
import { textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { command } from './define.ts';
import { encodeDocument } from './encode.ts';
import { fields } from './fields.ts';
import { isIdKey, readIndexSpec } from './index-spec.ts';
import { collectionToWrite } from './insert.ts';
import { checkNamespace, onCollection } from './namespace.ts';
import { DocumentResults, firstBatch } from './results.ts';

/** The only index there is: every collection keeps its documents by `_id`. */
export const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };

const cursorOptions = fields('listIndexes.cursor', { batchSize: 'count' });

const listIndexes = command({
  name: 'listIndexes',
  privileges: onCollection('listIndexes'),
  fields: {
    listIndexes: 'collection!',
    cursor: 'object',
    includeBuildUUIDs: 'truth',
    includeIndexBuildInfo: 'truth',
    isTimeseriesNamespace: 'truth',
  },
  run({ listIndexes: name, cursor }, request, cluster) {
    const namespace = checkNamespace(request.database, name);
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ? cursorOptions.read(cursor) : {};
    if (cluster.store.collection(request.database, name) === undefined) {
      throw new ServerError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    }
    const documents = [new RawDocument(encodeDocument(idIndex))];
    const results = new DocumentResults(documents.values(), undefined, documents.length);
    return firstBatch(results, { namespace, batchSize }, request, cluster);
  },
});

const createIndexes = command({
  name: 'createIndexes',
  privileges: onCollection('createIndex'),
  writes: true,
  fields: {
    createIndexes: 'collection!',
    indexes: 'documents!',
    commitQuorum: 'value',
    ignoreUnknownIndexOptions: 'truth',
    isTimeseriesNamespace: 'truth',
    v: 'int',
  },
  run({ createIndexes: name, indexes, ignoreUnknownIndexOptions = false }, request, cluster) {
    checkNamespace(request.database, name);
    if (indexes.length === 0) throw new ServerError('BadValue', 'Must specify at least one index to create');
    const specs = indexes.map((index) => readIndexSpec(index, ignoreUnknownIndexOptions));
    const wanted = specs.find(({ key }) => !isIdKey(key));
    if (wanted !== undefined) {
      throw new ServerError(
        'CommandNotSupported',
        `the index '${wanted.name}' cannot be built: only _id is indexed`,
      );
    }
    const found = cluster.store.collection(request.database, name);
    if (found === undefined) collectionToWrite(request, name, cluster);
    return {
      numIndexesBefore: 1,
      numIndexesAfter: 1,
      createdCollectionAutomatically: found === undefined,
      ...(found === undefined ? {} : { note: 'all indexes already exist' }),
    };
  },
});

const dropIndexes = command({
  name: 'dropIndexes',
  aliases: ['deleteIndexes'],
  privileges: onCollection('dropIndex'),
  writes: true,
  fields: { dropIndexes: 'collection!', index: 'value!', isTimeseriesNamespace: 'truth' },
  run({ dropIndexes: name, index }, { database }, { store }) {
    const namespace = checkNamespace(database, name);
    if (store.collection(database, name) === undefined) {
      throw new ServerError('NamespaceNotFound', `ns not found ${namespace}`);
    }
    for (const one of indexesNamed(index)) refuseToDrop(one);
    const all = index.type === bsonTypes.string && textOf(index) === '*';
    return { nIndexesWas: 1, ...(all ? { msg: 'non-_id indexes dropped for collection' } : {}) };
  },
});

/** What is named besides `*`: names, or the key of one index. */
function indexesNamed(index: Value): Array<string | RawDocument> {
  const document = new RawDocument(index.bytes, index.start, index.end - index.start);
  switch (index.type) {
    case bsonTypes.string:
      return textOf(index) === '*' ? [] : [textOf(index)];
    case bsonTypes.object:
      return [document];
    case bsonTypes.array:
      return [...document].map((entry) => {
        if (entry.type === bsonTypes.string) return textOf(entry);
        throw wrongIndex();
      });
    default:
      throw wrongIndex();
  }
}

function wrongIndex(): ServerError {
  return new ServerError(
    'TypeMismatch',
    "BSON field 'dropIndexes.index' has to be a string, an array of strings or an object",
  );
}

function refuseToDrop(index: string | RawDocument): never {
  const isId = typeof index === 'string' ? index === '_id_' : isIdKey(index);
  if (isId) throw new ServerError('InvalidOptions', 'cannot drop _id index');
  throw new ServerError(
    'IndexNotFound',
    typeof index === 'string' ? `index not found with name [${index}]` : "can't find index with key",
  );
}

export const indexCommands: readonly Command[] = [listIndexes, createIndexes, dropIndexes];
