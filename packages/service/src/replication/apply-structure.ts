import type { Document } from 'mongodb';
import type { Change } from './changes.ts';
import { databasesOf } from './deployments.ts';
import { codes, type Endpoints, type Namespace, nameOf, rawDb, runUnless } from './endpoints.ts';
import { createCollection, createIndexes, dropCollection, indexesOf, isUnique } from './structure.ts';

/* This file applies changes of collections and indexes. Applying a change again has no effect. */

type Applier = (endpoints: Endpoints, change: Change, namespace: Namespace, exact: boolean) => Promise<void>;

const appliers: Readonly<Record<string, Applier>> = {
  async create(endpoints, { operationDescription = {}, nsType }, namespace) {
    if (nsType !== 'timeseries') await createCollection(endpoints, namespace, operationDescription);
  },
  drop: (endpoints, _, namespace) => dropCollection(endpoints, namespace),
  async dropDatabase({ target }, { ns }) {
    await target.db(ns.db).dropDatabase();
  },
  async rename({ target }, { to }, namespace) {
    if (to === undefined) return;
    const command = { renameCollection: nameOf(namespace), to: nameOf(to), dropTarget: true };
    await runUnless(target.db('admin'), command, codes.namespaceNotFound);
  },
  async createIndexes(endpoints, { operationDescription }, namespace, exact) {
    const all = (operationDescription?.indexes ?? []) as Document[];
    // Until the data is consistent, documents can violate unique indexes. Unique indexes are therefore created at the
    // end, from the source's list.
    await createIndexes(endpoints, namespace, exact ? all : all.filter((spec) => !isUnique(spec)));
  },
  async dropIndexes({ target }, { operationDescription }, { db, coll }) {
    for (const { name } of (operationDescription?.indexes ?? []) as Document[]) {
      const command = { dropIndexes: coll, index: name };
      await runUnless(target.db(db), command, codes.indexNotFound, codes.namespaceNotFound);
    }
  },
  async modify({ target, keepsTtl }, { operationDescription = {} }, { db, coll }) {
    const { index, ...options } = operationDescription;
    const { expireAfterSeconds, ...rest } = index ?? {};
    // Omit the TTL from the change, unless `keepsTtl` is set: before the cutover, the destination must not delete
    // expired documents.
    const kept = { ...rest, ...(keepsTtl && expireAfterSeconds !== undefined && { expireAfterSeconds }) };
    const isChanged = 'hidden' in kept || 'expireAfterSeconds' in kept;
    const changes = { ...options, ...(isChanged ? { index: kept } : {}) };
    if (Object.keys(changes).length === 0) return;
    const done = [codes.namespaceNotFound, codes.indexNotFound];
    await runUnless(rawDb(target, db), { collMod: coll, ...changes }, ...done);
  },
  async shardCollection({ target, targetSharded }, { operationDescription = {} }, namespace) {
    if (!targetSharded) return;
    const { shardKey, unique } = operationDescription;
    const command = { shardCollection: nameOf(namespace), key: shardKey, ...(unique ? { unique } : {}) };
    await runUnless(target.db('admin'), command, codes.alreadyInitialized);
  },
};

/**
 * Applies a change of a collection or an index. `exact` tells whether the destination equals the source before the
 * change.
 */
export async function applyStructure(endpoints: Endpoints, change: Change, exact: boolean): Promise<void> {
  const { operationType, ns } = change;
  const apply = Object.hasOwn(appliers, operationType) ? appliers[operationType] : undefined;
  await apply?.(endpoints, change, { db: ns.db, coll: ns.coll ?? '' }, exact);
}

/** Drops the unique indexes of a collection. They are created again once no value occurs twice. */
export async function dropUniqueIndexes(endpoints: Endpoints, namespace: Namespace): Promise<void> {
  for (const spec of await indexesOf(endpoints, 'target', namespace)) {
    if (!isUnique(spec)) continue;
    const command = { dropIndexes: namespace.coll, index: spec.name };
    await runUnless(endpoints.target.db(namespace.db), command, codes.indexNotFound, codes.namespaceNotFound);
  }
}

/** Drops every collection that a migration may have created. */
export async function dropAll(endpoints: Endpoints, namespaces: readonly Namespace[]): Promise<void> {
  const there = new Set(await databasesOf(endpoints.target));
  for (const namespace of namespaces) if (there.has(namespace.db)) await dropCollection(endpoints, namespace);
}
