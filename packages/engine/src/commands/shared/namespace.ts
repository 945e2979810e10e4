import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import {
  isCollectionName,
  isDatabaseName,
  isTooLong,
  MAX_NAMESPACE_BYTES,
} from '../../interface/namespaces.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { CommandRequest } from '../context/request.ts';

/** System collections that clients may use. */
const systemNames = /^system\.(js|users|views|profile|buckets\..+)$/;

export function checkDatabaseName(name: string): void {
  if (isDatabaseName(name)) return;
  throw new ServerError('InvalidNamespace', `Invalid database name: '${name}'`);
}

/** Validates a namespace for reading. The collection need not exist. */
export function checkNamespace(database: string, collection: string): string {
  const namespace = `${database}.${collection}`;
  if (!isCollectionName(collection)) {
    throw new ServerError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  }
  return namespace;
}

/** Throws if the name of a new database differs from that of another database only in case. */
export function checkCase(database: string, store: Pick<ClusterStore, 'databases'>): void {
  const folded = database.toLowerCase();
  const alike = store.databases().filter((name) => name.toLowerCase() === folded);
  if (alike.length === 0 || alike.includes(database)) return;
  throw new ServerError(
    'DatabaseDifferCase',
    `db already exists with different case already have: [${alike[0]}] trying to create [${database}]`,
  );
}

/** Validates the namespace of a new collection. */
export function checkNewNamespace(database: string, collection: string): void {
  const namespace = checkNamespace(database, collection);
  if (isTooLong(namespace)) {
    throw new ServerError(
      'InvalidNamespace',
      `Fully qualified namespace is too long. Namespace: ${namespace} Max: ${MAX_NAMESPACE_BYTES}`,
    );
  }
  if (collection.includes('$')) {
    throw new ServerError('InvalidNamespace', `Invalid collection name: ${collection}`);
  }
  if (collection.startsWith('system.') && !systemNames.test(collection)) {
    throw new ServerError('InvalidNamespace', `Invalid system namespace: ${namespace}`);
  }
}

/** Throws for the buckets collection of a time series, because clients cannot create it directly. */
export function rejectBuckets(database: string, collection: string): void {
  if (!collection.startsWith(BUCKETS)) return;
  throw new ServerError(
    'IllegalOperation',
    `${database}.${collection} can only be the buckets of a time-series collection`,
  );
}

/** Returns the collection in the command's first field, or an empty name if the field is not a string. */
export function collectionOf(request: CommandRequest): string {
  const first = request.body.first();
  return first?.type === bsonTypes.string ? textOf(first) : '';
}

/** Returns the privileges for actions on the collection in the command's first field. */
export function onCollection(
  ...actions: readonly string[]
): (request: CommandRequest) => readonly Privilege[] {
  return (request) => {
    const collection = collectionOf(request);
    return actions.map((action) => ({ action, database: request.database, collection }));
  };
}

/** Returns the additional action that a command needs to store documents that the validator rejects. */
export function bypassing({ body }: CommandRequest): readonly string[] {
  return body.bool('bypassDocumentValidation') === true ? ['bypassDocumentValidation'] : [];
}

export function onDatabase(action: string): (request: CommandRequest) => readonly Privilege[] {
  return ({ database }) => [{ action, database, collection: '' }];
}
