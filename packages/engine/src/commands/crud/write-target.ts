import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { checkUuid } from '../shared/uuid.ts';

/**
 * Fields that all write commands accept. `encryptionInformation` has no effect, because clients encrypt the
 * documents.
 */
export const targetFields = { collectionUUID: 'uuid', encryptionInformation: 'object' } as const;

/**
 * Checks that the collection has the expected UUID, and that it supports writes in a transaction. Called before any
 * write.
 */
export function checkTarget(
  name: string,
  uuid: Value | undefined,
  { database, transaction }: CommandRequest,
  { store }: ClusterContext,
  written: 'inserted' | 'changed' = 'changed',
): void {
  checkUuid(uuid, database, name, store);
  if (readOnly.has(name)) throw new ServerError('InvalidNamespace', `cannot write to ${database}.${name}`);
  if (transaction === undefined) return;
  if (name.startsWith('system.')) throw systemWrite(`${database}.${name}`);
  if (store.collection(database, name)?.options.has('timeseries') !== true) return;
  throw new ServerError('OperationNotSupportedInTransaction', `${messages[written]}: ${database}.${name}`);
}

/** Collections that only the server itself writes. */
const readOnly: ReadonlySet<string> = new Set(['system.profile', 'system.views']);

const SYSTEM_WRITE = 50791;

function systemWrite(namespace: string): ServerError {
  return new ServerError(
    SYSTEM_WRITE,
    `Cannot write to system collection ${namespace} within a transaction.`,
  );
}

const messages = {
  inserted: 'Cannot insert into a time-series collection in a multi-document transaction',
  changed: 'Cannot perform a multi-document transaction on a time-series collection',
};
