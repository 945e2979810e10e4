import { Double } from 'bson';
import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { describe } from '../../bson/describe.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { isNumber, nullValue, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Reply } from '../../message/reply.ts';
import { documentsOf } from '../../planner/plan.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import { CappedCollection } from '../../storage/collection/capped.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { Oplog } from '../../storage/oplog/oplog.ts';
import { indexBytes, type Sizes, sizesOf } from '../catalog/sizes.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { specsOf } from '../indexes/specifications.ts';
import { command } from '../shared/define.ts';
import { converted, inRange } from '../shared/field-builders.ts';
import { checkDatabaseName, checkNamespace, onCollection, onDatabase } from '../shared/namespace.ts';
import { inspecting } from '../shared/presets.ts';
import { notSupportedOnView, rejectView, viewsOf } from '../views/view.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** The unit of sizes in bytes. */
const scale = converted(inRange('int', 1), (bytes) => Math.min(bytes, MAX_INT32));

const dbStats = command({
  name: 'dbStats',
  aliases: ['dbstats'],
  ...inspecting,
  privileges: onDatabase('dbStats'),
  fields: { dbStats: 'any', scale, freeStorage: 'int' },
  run({ scale = 1, freeStorage = 0 }, { database }, { store }) {
    // The free pages in the SQLite file belong to no collection or index, so the free space is 0, as in `collStats`.
    const free = (name: string) => (freeStorage === 0 ? {} : { [name]: new Double(0) });
    const sizes = sizesOf(store.collections(database));
    return {
      db: database,
      collections: BigInt(sizes.collections),
      views: BigInt(viewsOf(store, database).length),
      objects: BigInt(sizes.objects),
      avgObjSize: new Double(averageOf(sizes)),
      dataSize: new Double(sizes.bytes / scale),
      storageSize: new Double(sizes.storage / scale),
      ...free('freeStorageSize'),
      indexes: BigInt(sizes.indexes),
      indexSize: new Double(sizes.indexBytes / scale),
      ...free('indexFreeStorageSize'),
      totalSize: new Double((sizes.storage + sizes.indexBytes) / scale),
      ...free('totalFreeStorageSize'),
      scaleFactor: BigInt(scale),
      fsUsedSize: new Double(store.disk.used / scale),
      fsTotalSize: new Double(store.disk.total / scale),
    };
  },
});

function averageOf({ bytes, objects }: Sizes): number {
  return objects === 0 ? 0 : bytes / objects;
}

const collStats = command({
  name: 'collStats',
  aliases: ['collstats'],
  ...inspecting,
  privileges: onCollection('collStats'),
  fields: {
    collStats: 'collection!',
    scale,
    verbose: 'truth',
    waitForLock: 'truth',
    numericOnly: 'truth',
  },
  run({ collStats: name, scale = 1 }, { database }, { store }) {
    const ns = checkNamespace(database, name);
    rejectView(store, database, name);
    const collection = store.collection(database, name);
    const described = collection === undefined ? nothing : describeCollection(collection, scale, store);
    return { ns, ...described, scaleFactor: scale };
  },
});

/** The statistics of a collection that does not exist. */
const nothing: Reply = {
  size: 0,
  count: 0,
  numOrphanDocs: 0,
  storageSize: 0,
  totalSize: 0,
  nindexes: 0,
  totalIndexSize: 0,
  indexDetails: {},
  indexSizes: {},
};

export function describeCollection(collection: Collection, scale: number, store: ClusterStore): Reply {
  const sizes = sizesOf([collection]);
  const scaled = (bytes: number) => Math.floor(bytes / scale);
  // For a time series, the server reports the number of buckets rather than the number of documents.
  const counted = collection.options.has('timeseries')
    ? {}
    : {
        count: sizes.objects,
        ...(sizes.objects === 0 ? {} : { avgObjSize: Math.floor(averageOf(sizes)) }),
      };
  return {
    size: scaled(sizes.bytes),
    ...counted,
    numOrphanDocs: 0,
    storageSize: scaled(sizes.storage),
    freeStorageSize: 0,
    ...describeLimits(collection, scale),
    ...describeSeries(collection, store),
    nindexes: sizes.indexes,
    // The server has details here only of its default storage engine.
    indexDetails: {},
    indexBuilds: [],
    totalIndexSize: scaled(sizes.indexBytes),
    totalSize: scaled(sizes.storage + sizes.indexBytes),
    indexSizes: indexSizes(collection, scaled),
  };
}

function describeLimits(collection: Collection, scale: number): Reply {
  if (collection instanceof Oplog) {
    return { capped: true, max: 0, maxSize: Math.floor(collection.limit / scale), sleepCount: 0, sleepMS: 0 };
  }
  if (!(collection instanceof CappedCollection)) return { capped: false };
  const { bytes, documents } = collection.limits;
  const max = Number.isFinite(documents) ? documents : 0;
  return { capped: true, max, maxSize: Math.floor(bytes / scale), sleepCount: 0, sleepMS: 0 };
}

function describeSeries(collection: Collection, store: ClusterStore): Reply {
  if (!collection.options.has('timeseries')) return {};
  return {
    timeseries: {
      bucketsNs: `${collection.database}.${BUCKETS}${collection.name}`,
      bucketCount: storedDocuments(collection, store),
    },
  };
}

/** Returns the number of documents, or of buckets for a time series. */
export function storedDocuments(
  { database, name, options, documents }: Collection,
  store: ClusterStore,
): number {
  if (!options.has('timeseries')) return documents;
  return store.collection(database, `${BUCKETS}${name}`)?.documents ?? 0;
}

function indexSizes(collection: Collection, scaled: (bytes: number) => number): Reply {
  const bytes = scaled(indexBytes(collection));
  const names = ['_id_', ...collection.indexes.map(({ name }) => name)];
  return Object.fromEntries(names.map((name) => [name, bytes]));
}

const dataSize = command({
  name: 'dataSize',
  ...inspecting,
  privileges: privilegesToMeasure,
  fields: { dataSize: 'string!', keyPattern: 'object', min: 'object', max: 'object', estimate: 'truth' },
  run({ dataSize: ns, keyPattern, min, max, estimate = false }, _request, { store, clock }) {
    const { database, name } = splitNamespace(ns);
    rejectView(store, database, name);
    const collection = store.collection(database, name);
    if (collection?.options.has('timeseries')) throw notSupportedOnView(collection.namespace);
    const began = clock.uptime();
    if (collection === undefined) return measured(0, 0, estimate, 0);
    if (min !== undefined && max !== undefined && !isIndexed(keyPattern, collection)) {
      throw new ServerError('OperationFailed', "couldn't find valid index containing key pattern");
    }
    if (min === undefined && max === undefined) {
      return measured(collection.bytes, collection.documents, estimate, 0);
    }
    const range = rangeOf(keyPattern, min, max);
    let bytes = 0;
    let objects = 0;
    for (const document of documentsOf(
      collection.scan({ kind: 'natural', reverse: false }),
      collection.running,
    )) {
      if (!range(document)) continue;
      bytes += document.length;
      objects++;
    }
    return measured(bytes, objects, estimate, (clock.uptime() - began) * 1000);
  },
});

/**
 * True if the fields of the pattern are the first fields of an index, in the same order and direction.
 * Partial and sparse indexes do not count.
 */
function isIndexed(pattern: RawDocument | undefined, collection: Collection): boolean {
  if (pattern === undefined || pattern.isEmpty) return false;
  const wanted = directions(pattern);
  return specsOf(collection).some((spec) => {
    const isWhole = !spec.has('partialFilterExpression') && spec.bool('sparse') !== true;
    const key = directions(spec.document('key') ?? RawDocument.empty);
    return isWhole && wanted.every((part, i) => part === key[i]);
  });
}

function directions(key: RawDocument): string[] {
  return [...key].map(
    (part) => `${part.name}\0${isNumber(part) ? Math.sign(toNumber(part)) : describe(part)}`,
  );
}

function privilegesToMeasure({ body, database }: CommandRequest): readonly Privilege[] {
  const first = body.first();
  const text = first?.type === bsonTypes.string ? textOf(first) : '';
  const dot = text.indexOf('.');
  return [
    { action: 'find', database: dot < 0 ? database : text.slice(0, dot), collection: text.slice(dot + 1) },
  ];
}

function splitNamespace(text: string): { database: string; name: string } {
  const dot = text.indexOf('.');
  if (dot < 1) throw new ServerError('InvalidNamespace', `Invalid namespace specified '${text}'`);
  const database = text.slice(0, dot);
  checkDatabaseName(database);
  checkNamespace(database, text.slice(dot + 1));
  return { database, name: text.slice(dot + 1) };
}

function measured(size: number, numObjects: number, estimate: boolean, millis: number): Reply {
  return { estimate, size: BigInt(size), numObjects: BigInt(numObjects), millis };
}

/** Returns a test for documents whose key lies between `min`, inclusive, and `max`, exclusive. */
function rangeOf(
  keyPattern: RawDocument | undefined,
  min: RawDocument | undefined,
  max: RawDocument | undefined,
): (document: RawDocument) => boolean {
  if (min === undefined || max === undefined) {
    throw new ServerError('BadValue', 'only one of min or max specified');
  }
  const names = [...(keyPattern ?? min)].map(({ name }) => name);
  return (document) => compareOn(names, document, min) >= 0 && compareOn(names, document, max) < 0;
}

function compareOn(names: readonly string[], a: RawDocument, b: RawDocument): number {
  for (const name of names) {
    const order = compareValues(a.get(name) ?? nullValue, b.get(name) ?? nullValue);
    if (order !== 0) return order;
  }
  return 0;
}

export const statisticsCommands: readonly Command[] = [dbStats, collStats, dataSize];
