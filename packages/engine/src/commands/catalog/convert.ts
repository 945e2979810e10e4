import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { documentsOf } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { notNull, required } from '../shared/field-builders.ts';
import { positiveSize } from '../shared/field-types.ts';
import {
  checkNamespace,
  checkNewNamespace,
  collectionOf,
  onCollection,
  rejectBuckets,
} from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { usageOf } from '../shared/usage.ts';
import { collectionIn } from '../views/view.ts';
import { cappedSize } from './create/capped.ts';
import { whole } from './create/options.ts';
import { withOptions } from './create/stored-options.ts';

/**
 * This file contains the commands that copy a collection to a capped collection. Secondary indexes are not copied.
 */

const convertToCapped = command({
  name: 'convertToCapped',
  ...writing,
  audit: 'none',
  privileges: onCollection('convertToCapped'),
  lenient: true,
  fields: { convertToCapped: 'collection!', size: positiveSize },
  run({ convertToCapped: name, size }, { database }, cluster) {
    const namespace = checkNamespace(database, name);
    const { store } = cluster;
    const source = sourceIn(database, name, cluster);
    const created = cloneCapped(source, `tmp.convertToCapped.${name}`, size, cluster);
    store.rename(created, name, source);
    usageOf(cluster).forget(namespace);
    return {};
  },
});

const cloneCollectionAsCapped = command({
  name: 'cloneCollectionAsCapped',
  ...writing,
  audit: 'none',
  privileges: privilegesToClone,
  lenient: true,
  fields: {
    cloneCollectionAsCapped: required(notNull('string')),
    toCollection: required(notNull('string'), notAString),
    size: 'count',
  },
  run({ cloneCollectionAsCapped: name, toCollection: to, size }, { database }, cluster) {
    checkSource(database, name);
    checkNewNamespace(database, to);
    rejectBuckets(database, to);
    const source = sourceIn(database, name, cluster);
    if (collectionIn(cluster.store, database, to) !== undefined) {
      throw new ServerError(
        'NamespaceExists',
        `cloneCollectionAsCapped failed - destination collection ${database}.${to} already exists. ` +
          `source collection: ${database}.${name}`,
      );
    }
    cloneCapped(source, to, size, cluster);
    return {};
  },
});

function privilegesToClone(request: CommandRequest): readonly Privilege[] {
  const { body, database } = request;
  const to = body.get('toCollection');
  const collection = to?.type === bsonTypes.string ? textOf(to) : '';
  return [
    { action: 'find', database, collection: collectionOf(request) },
    ...['insert', 'createIndex', 'convertToCapped'].map((action) => ({ action, database, collection })),
  ];
}

function notAString(_within: string, field: string): ServerError {
  return new ServerError('TypeMismatch', `'${field}' has to be a string`);
}

function checkSource(database: string, name: string): void {
  checkNamespace(database, name);
  if (name.includes('$')) throw new ServerError('InvalidNamespace', `Invalid collection name: ${name}`);
  rejectBuckets(database, name);
}

function sourceIn(database: string, name: string, { store }: ClusterContext): Collection {
  const source = collectionIn(store, database, name);
  if (source === undefined) {
    throw new ServerError('NamespaceNotFound', `source collection ${database}.${name} does not exist`);
  }
  if (!source.options.has('timeseries')) return source;
  throw new ServerError('CommandNotSupportedOnView', `${source.namespace} is a time-series collection`);
}

/** Creates a capped collection, and copies to it the newest documents of the source that fit into it. */
function cloneCapped(
  source: Collection,
  name: string,
  size: number | undefined,
  { store }: ClusterContext,
): Collection {
  if (!size) throw new ServerError('InvalidOptions', 'Capped collection size must be greater than zero');
  const options = withOptions(source.options, {
    capped: true,
    size: whole(cappedSize(size)),
    max: undefined,
  });
  const created = store.create(source.database, name, options);
  let surplus = source.bytes - cappedSize(size);
  for (const document of documentsOf(source.scan({ kind: 'natural', reverse: false }), source.running)) {
    surplus -= document.length;
    if (surplus + document.length <= 0) created.insert(idKey(document), document);
  }
  return created;
}

export const convertCommands: readonly Command[] = [convertToCapped, cloneCollectionAsCapped];
