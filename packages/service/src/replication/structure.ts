import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Document } from 'mongodb';
import type { CollectionCopy } from './checkpoint.ts';
import { databasesOf } from './deployments.ts';
import { codes, type Endpoints, type Namespace, nameOf, namespaceOf, rawDb, runUnless } from './endpoints.ts';
import { codeOf } from './error-codes.ts';
import { ListReader, wholeList } from './lists.ts';
import { PermanentError } from './permanent-error.ts';

/** This file lists and creates collections, views and indexes. */

/** A TTL so long that the destination deletes no document before the cutover. */
const NEVER_S = 2_147_483_647;

/** Lists the collections of the source, except time series and system collections. */
export async function listCopies({ source }: Endpoints): Promise<CollectionCopy[]> {
  const all: CollectionCopy[] = [];
  const lists = new ListReader();
  for (const db of await databasesOf(source)) {
    const infos: Document[] = await lists.all('collections', rawDb(source, db).listCollections({}));
    for (const info of infos) {
      const { name, type, options = {} } = info;
      if (type === 'timeseries' || name.startsWith('system.')) continue;
      all.push({ _id: nameOf({ db, coll: name }), options, isView: type === 'view', copied: false });
    }
  }
  return all;
}

/** Returns the options of a collection of the source; undefined if it no longer exists. */
export async function optionsOf(
  { source }: Endpoints,
  { db, coll }: Namespace,
): Promise<Document | undefined> {
  const [info] = await wholeList<Document>('collections', rawDb(source, db).listCollections({ name: coll }));
  return info && (info.options ?? {});
}

export async function createCollection(
  { target }: Endpoints,
  { db, coll }: Namespace,
  options: Document,
): Promise<void> {
  const { storageEngine: _, idIndex: __, ...kept } = options;
  await runUnless(rawDb(target, db), { create: coll, ...kept }, codes.namespaceExists);
}

export async function dropCollection({ target }: Endpoints, { db, coll }: Namespace): Promise<void> {
  await runUnless(target.db(db), { drop: coll }, codes.namespaceNotFound);
}

/** Returns all indexes of a collection except the index on `_id`. */
export async function indexesOf(
  endpoints: Endpoints,
  end: 'source' | 'target',
  { db, coll }: Namespace,
): Promise<Document[]> {
  const cursor = rawDb(endpoints[end], db).collection(coll).listIndexes();
  const listed = await wholeList<Document>('indexes', cursor).catch((error) => {
    if (codeOf(error) === codes.namespaceNotFound) return [];
    throw error;
  });
  return listed.filter(({ name, clustered }) => name !== '_id_' && clustered !== true);
}

/**
 * Creates indexes like the indexes of the source. Unless the destination keeps the TTL, replaces it by `NEVER_S`, so that
 * the destination deletes no documents before the cutover.
 */
export async function createIndexes(
  { target, builder, keepsTtl }: Endpoints,
  { db, coll }: Namespace,
  specs: Document[],
): Promise<void> {
  if (specs.length === 0) return;
  const indexes = specs.map(({ ns: _, ...spec }) =>
    'expireAfterSeconds' in spec && !keepsTtl ? { ...spec, expireAfterSeconds: NEVER_S } : spec,
  );
  await rawDb(builder ?? target, db).command({ createIndexes: coll, indexes });
}

export const isUnique = (spec: Document) => spec.unique === true;

/** Creates every index of the source that the destination lacks. */
export async function completeIndexes(endpoints: Endpoints): Promise<void> {
  for (const { _id, isView } of await listCopies(endpoints)) {
    if (isView) continue;
    const namespace = namespaceOf(_id);
    const there = new Set((await indexesOf(endpoints, 'target', namespace)).map(({ name }) => name));
    for (const spec of await indexesOf(endpoints, 'source', namespace)) {
      if (there.has(spec.name)) continue;
      await createIndexes(endpoints, namespace, [spec]).catch((error) => {
        // Ignore these errors. The source has created the index or its collection after the list was read, and a
        // later change creates it at the destination.
        const passing: readonly unknown[] = [codes.duplicateKey, codes.indexOptionsConflict];
        if (!passing.includes(codeOf(error))) throw error;
      });
    }
  }
}

/**
 * Throws if the destination lacks an index of the source. A unique index may be impossible to build if the source
 * changed during the copy, because these changes are not applied afterwards.
 */
export async function requireIndexes(endpoints: Endpoints): Promise<void> {
  for (const { _id, isView } of await listCopies(endpoints)) {
    if (isView) continue;
    const namespace = namespaceOf(_id);
    const there = new Set((await indexesOf(endpoints, 'target', namespace)).map(({ name }) => name));
    const missing = (await indexesOf(endpoints, 'source', namespace)).find(({ name }) => !there.has(name));
    if (missing !== undefined)
      throw new Error(
        `the index ${missing.name} of ${_id} cannot be built, since the collection changed meanwhile`,
      );
  }
}

/** Sets the TTL of indexes to the TTL in the source, so that the destination itself deletes expired documents. */
export async function beginExpiry(endpoints: Endpoints): Promise<void> {
  for (const { _id, isView } of await listCopies(endpoints)) {
    if (isView) continue;
    const { db, coll } = namespaceOf(_id);
    for (const { name, expireAfterSeconds } of await indexesOf(endpoints, 'source', { db, coll })) {
      if (expireAfterSeconds === undefined) continue;
      const command = { collMod: coll, index: { name, expireAfterSeconds } };
      await runUnless(rawDb(endpoints.target, db), command, codes.indexNotFound, codes.namespaceNotFound);
    }
  }
}

/** Which collections of the destination to shard, although the source is not sharded. */
export interface ShardingOrder {
  readonly createSupportingIndexes: boolean;
  readonly shardingEntries: readonly {
    readonly database: string;
    readonly collection: string;
    readonly key: PlainObject;
  }[];
}

/** Shards the collections of the destination while they are still empty. */
export async function shardCollections(
  endpoints: Endpoints,
  sharding: ShardingOrder | undefined,
): Promise<void> {
  if (!endpoints.targetSharded) return;
  const wanted = endpoints.sourceSharded ? await shardedOf(endpoints) : await namedOf(endpoints, sharding);
  for (const { name, key, unique } of wanted) {
    const command = { shardCollection: name, key, ...(unique ? { unique } : {}) };
    await runUnless(endpoints.target.db('admin'), command, codes.alreadyInitialized);
  }
}

interface Sharded {
  readonly name: string;
  readonly key: Document;
  readonly unique: boolean;
}

async function shardedOf({ source }: Endpoints): Promise<Sharded[]> {
  const sharded = source
    .db('config')
    .collection<{ _id: string; key: Document; unique?: boolean }>('collections');
  const found = await wholeList('sharded collections', sharded.find());
  return found
    .filter(({ _id }) => !/^(config|admin)\./.test(_id) && !/\.system\./.test(_id))
    .map(({ _id, key, unique = false }) => ({ name: _id, key, unique }));
}

async function namedOf(endpoints: Endpoints, sharding: ShardingOrder | undefined): Promise<Sharded[]> {
  const { createSupportingIndexes = false, shardingEntries = [] } = sharding ?? {};
  for (const { database: db, collection: coll, key } of shardingEntries) {
    if (createSupportingIndexes) continue;
    const fields = Object.keys(key);
    const indexes = await indexesOf(endpoints, 'source', { db, coll });
    const serves = indexes.some((index) => fields.every((field, i) => Object.keys(index.key)[i] === field));
    if (!serves && fields.join() !== '_id')
      throw new PermanentError(
        `The source has no index for the shard key ${JSON.stringify(key)} of ${db}.${coll}.`,
      );
  }
  return shardingEntries.map(({ database, collection, key }) => ({
    name: `${database}.${collection}`,
    key,
    unique: false,
  }));
}
