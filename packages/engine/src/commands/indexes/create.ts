import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { string, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type AuditedRequest, documentsIn, namespaceIn } from '../../observe/audited.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { alreadyExists } from '../../storage/index-specs/existing.ts';
import { type IndexSpec, isIdKey } from '../../storage/index-specs/index-spec.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { commitQuorum } from '../shared/commit-quorum.ts';
import { command } from '../shared/define.ts';
import { checkDefinitions } from '../shared/definitions.ts';
import { checkExplicitCreation } from '../shared/explicit-creation.ts';
import { converted } from '../shared/field-builders.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { checkUuid } from '../shared/uuid.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { noteCommand } from './oplog.ts';
import { readIndexSpec } from './options.ts';
import { idIndexOf, rejectView, specsOf } from './specifications.ts';
import { checkTimeSeriesIndex } from './timeseries.ts';
import { checkUnique } from './unique-on-shards.ts';

const MAX_INDEXES = 64;

/** A quorum whose mode exists. It has no effect. */
const knownQuorum = converted(commitQuorum, (quorum) => {
  if (typeof quorum === 'number' || quorum === 'majority' || quorum === 'votingMembers') return quorum;
  throw new ServerError(
    'UnknownReplWriteConcern',
    `No write concern mode named "${quorum}" found in replica set configuration`,
  );
});

export const createIndexes = command({
  name: 'createIndexes',
  ...writing,
  transaction: 'statement',
  stableApi: true,
  inOplog: true,
  audit: { atype: 'createIndex', params: auditedIndexes },
  privileges: onCollection('createIndex'),
  fields: {
    createIndexes: 'collection!',
    indexes: 'documents!',
    commitQuorum: knownQuorum,
    ignoreUnknownIndexOptions: 'truth',
    isTimeseriesNamespace: 'truth',
    rawData: 'truth',
    v: 'int',
    collectionUUID: 'uuid',
  },
  run(args, request, cluster) {
    const { createIndexes: name, indexes, ignoreUnknownIndexOptions = false } = args;
    checkNamespace(request.database, name);
    checkUuid(args.collectionUUID, request.database, name, cluster.store);
    if (indexes.length === 0) throw new ServerError('BadValue', 'Must specify at least one index to create');
    rejectView(request.database, name, cluster);
    if (name === 'system.views' || name === 'system.profile') {
      throw new ServerError('CannotCreateIndex', `cannot create indexes on the system collection '${name}'`);
    }
    const found = cluster.store.collection(request.database, name);
    const collation = found?.options.document('collation');
    const specs = indexes.map((index) => readIndexSpec(index, ignoreUnknownIndexOptions, collation));
    if (request.body.bool('apiStrict') === true) rejectUnstable(specs);
    for (const spec of specs) checkClusteredIndex(spec, found);
    const timeseries = found?.options.document('timeseries');
    if (timeseries !== undefined) for (const spec of specs) checkTimeSeriesIndex(spec, timeseries);
    const wanted = indexesToCreate(specs, found);
    checkDefinitions(
      cluster.store,
      wanted.map(({ document }) => document),
    );
    if (wanted.length > 0) checkExplicitCreation(request, 'an index');
    checkQuorum(args.commitQuorum, cluster);
    const collection = found ?? collectionToWrite(request, name, cluster);
    // A clustered collection has no separate _id index.
    const before = specsOf(collection).length - (collection.options.has('clusteredIndex') ? 1 : 0);
    for (const { document } of wanted) checkUnique(cluster, collection.namespace, document);
    // Add the indexes when all of them are built, because the transaction of a build can be divided.
    const built = wanted.map((spec) => ({ ...spec, add: build(collection, spec) }));
    for (const { document, add } of built) {
      add();
      noteCommand(collection, createdEntry(collection, document), undefined, request, cluster);
    }
    return {
      numIndexesBefore: before,
      numIndexesAfter: before + wanted.length,
      createdCollectionAutomatically: found === undefined,
      ...(wanted.length > 0 ? { commitQuorum: args.commitQuorum ?? 'votingMembers' } : {}),
      ...(wanted.length > 0 ? {} : { note: 'all indexes already exist' }),
    };
  },
});

function checkQuorum(quorum: unknown, { topology }: ClusterContext): void {
  if (typeof quorum !== 'number' || quorum <= topology.members.length) return;
  throw new ServerError(
    'UnsatisfiableCommitQuorum',
    'Commit quorum cannot be satisfied with the current replica set configuration',
  );
}

function rejectUnstable(specs: readonly IndexSpec[]): void {
  const isText = ({ key }: IndexSpec) =>
    [...key].some((part) => part.type === bsonTypes.string && textOf(part) === 'text');
  if (specs.some(isText)) {
    throw new ServerError('APIStrictError', 'text indexes cannot be created with apiStrict: true');
  }
}

/**
 * Returns the indexes to create. Throws if a new index conflicts with an existing index or with another new
 * index.
 */
function indexesToCreate(specs: readonly IndexSpec[], collection: Collection | undefined): IndexSpec[] {
  const existing = collection === undefined ? [] : specsOf(collection);
  const wanted: IndexSpec[] = [];
  for (const spec of specs) {
    if (isIdKey(spec.key)) {
      checkIdIndex(spec, collection);
      continue;
    }
    if (alreadyExists(spec, existing)) continue;
    const others = wanted.map(({ document }) => document);
    if (alreadyExists(spec, others)) {
      throw new ServerError('IndexAlreadyExists', `Identical index already exists: ${spec.name}`);
    }
    wanted.push(spec);
  }
  if (Math.max(existing.length, 1) + wanted.length > MAX_INDEXES) {
    throw new ServerError('CannotCreateIndex', `add index fails, too many indexes: ${MAX_INDEXES} at most`);
  }
  return wanted;
}

/**
 * Checks a requested `_id` index. Every collection already has this index, so the name in the request has no effect.
 */
function checkIdIndex({ document }: IndexSpec, collection: Collection | undefined): void {
  const own = collection === undefined ? undefined : idIndexOf(collection).get('collation');
  const requested = document.get('collation');
  if (requested === undefined && own === undefined) return;
  if (requested !== undefined && own?.identical(requested)) return;
  throw new ServerError('BadValue', 'The _id index must have the same collation as the collection.');
}

/** Checks an index with the option `clustered`, and an index with the name of the clustered index. */
function checkClusteredIndex({ given, key, name }: IndexSpec, collection: Collection | undefined): void {
  const isClustered = collection?.options.has('clusteredIndex') === true;
  if (given.has('clustered')) {
    if (collection === undefined) {
      throw new ServerError(
        6100900,
        "The 'clustered' option cannot create a collection; use the create command",
      );
    }
    if (!isClustered || !isIdKey(key)) {
      throw new ServerError(
        6243700,
        "Cannot create index with option 'clustered' that does not match an existing clustered index",
      );
    }
  }
  if (isClustered && !isIdKey(key) && name === idIndexOf(collection).string('name')) {
    throw new ServerError(
      6100906,
      'Cannot create an index where the name matches the clusteredIndex but the key does not',
    );
  }
}

function build(collection: Collection, { document }: IndexSpec): () => void {
  try {
    return collection.buildIndex(document);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw new ServerError(
      error.code,
      `Index build failed: ${collection.namespace} ( ${document.string('name')} ) :: caused by :: ${error.message}`,
      error.more,
    );
  }
}

export function createdEntry({ name }: Collection, spec: RawDocument): RawDocument {
  return writeDocument((writer) => {
    writer.field('createIndexes', string(name));
    for (const option of spec) writer.element(option);
  });
}

/** Returns one audit message per index. */
function auditedIndexes({ args, database }: AuditedRequest): object[] {
  return documentsIn(args, 'indexes').map((index) => ({
    ns: namespaceIn(args, database, 'createIndexes'),
    indexName: index.get('name'),
    indexSpec: index,
    indexBuildState: 'IndexBuildSucceeded',
  }));
}
