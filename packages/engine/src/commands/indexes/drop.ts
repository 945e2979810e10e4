import { describeDocument } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { string, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited, namespaceIn } from '../../observe/audited.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { keysEqual } from '../../storage/index-specs/existing.ts';
import { isIdKey } from '../../storage/index-specs/index-spec.ts';
import type { IndexDefinition } from '../../storage/model/index-definition.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { byType, listOf, notNull, required, text } from '../shared/field-builders.ts';
import type { RequiredType } from '../shared/fields.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { checkUuid } from '../shared/uuid.ts';
import { noteCommand } from './oplog.ts';
import { idIndexOf, rejectView, specsOf } from './specifications.ts';

type IndexSelector = string | RawDocument;

/** Index names, or the key of one index. */
const indexSelectors: RequiredType<readonly IndexSelector[]> = required(
  notNull(
    byType(
      {
        string: (name) => [textOf(name)],
        object: (key) => [documentOf(key)],
        array: listOf(text(wrongIndex)).read,
      },
      wrongIndex,
    ),
  ),
);

function wrongIndex(): ServerError {
  return new ServerError(
    'TypeMismatch',
    "BSON field 'dropIndexes.index' has to be a string, an array of strings or an object",
  );
}

export const dropIndexes = command({
  name: 'dropIndexes',
  aliases: ['deleteIndexes'],
  ...writing,
  stableApi: true,
  inOplog: true,
  audit: audited('dropIndex', ({ args, database }) => ({
    ns: namespaceIn(args, database, 'dropIndexes'),
    indexName: args.get('index'),
  })),
  privileges: onCollection('dropIndex'),
  fields: {
    dropIndexes: 'collection!',
    index: indexSelectors,
    isTimeseriesNamespace: 'truth',
    rawData: 'truth',
    collectionUUID: 'uuid',
  },
  run({ dropIndexes: name, index: wanted, collectionUUID }, request, cluster) {
    const { database } = request;
    const namespace = checkNamespace(database, name);
    checkUuid(collectionUUID, database, name, cluster.store);
    const all = wanted.includes('*');
    rejectView(database, name, cluster);
    const collection = timeSeriesOf(database, name, cluster) ?? cluster.store.collection(database, name);
    if (collection === undefined) throw new ServerError('NamespaceNotFound', `ns not found ${namespace}`);
    // A clustered collection has no separate _id index.
    const clustered = collection.options.has('clusteredIndex') ? 1 : 0;
    const nIndexesWas = specsOf(collection).length - clustered;
    const dropped = all ? collection.indexes : wanted.map((one) => findIndex(collection, one));
    for (const one of dropped) drop(collection, one, request, cluster);
    return { nIndexesWas, ...(all ? { msg: 'non-_id indexes dropped for collection' } : {}) };
  },
});

/** Returns the time series of a buckets collection. The indexes belong to the time series. */
function timeSeriesOf(database: string, name: string, { store }: ClusterContext): Collection | undefined {
  if (!name.startsWith(BUCKETS)) return undefined;
  const collection = store.collection(database, name.slice(BUCKETS.length));
  return collection?.options.has('timeseries') ? collection : undefined;
}

function findIndex(collection: Collection, wanted: IndexSelector): IndexDefinition {
  return typeof wanted === 'string' ? byName(collection, wanted) : byKey(collection, wanted);
}

function byName(collection: Collection, name: string): IndexDefinition {
  const index = collection.indexes.find((one) => one.name === name);
  if (index !== undefined) return index;
  if (name === idIndexOf(collection).string('name')) throw keepsId(collection);
  throw new ServerError('IndexNotFound', `index not found with name [${name}]`);
}

function byKey(collection: Collection, key: RawDocument): IndexDefinition {
  if (isIdKey(key)) throw keepsId(collection);
  const [index, ...others] = collection.indexes.filter((one) => keysEqual(one.key, key));
  if (index === undefined) {
    throw new ServerError('IndexNotFound', `can't find index with key: ${describeDocument(key)}`);
  }
  if (others.length === 0) return index;
  throw new ServerError(
    'AmbiguousIndexKeyPattern',
    `${others.length + 1} indexes found for key: ${describeDocument(key)}, identify by name instead. ` +
      `Conflicting indexes: ${[index, ...others].map(({ spec }) => describeDocument(spec)).join(', ')}`,
  );
}

function keepsId({ options }: Collection): ServerError {
  if (options.has('clusteredIndex')) return new ServerError(5979800, 'cannot drop the clusteredIndex');
  return new ServerError('InvalidOptions', 'cannot drop _id index');
}

function drop(
  collection: Collection,
  index: IndexDefinition,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  collection.dropIndex(index);
  const o = writeDocument((writer) => {
    writer.field('dropIndexes', string(collection.name));
    writer.field('index', string(index.name));
  });
  noteCommand(collection, o, index.spec, request, cluster);
}
