import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { checkUuid } from '../shared/uuid.ts';

/** Fields of every write besides what it writes; what is encrypted the client has encrypted already. */
export const targetFields = { collectionUUID: 'any', encryptionInformation: 'object' } as const;

/** Throws before anything is written: the name is that of another collection, or takes no writes in a transaction. */
export function checkTarget(
  name: string,
  uuid: Value | undefined,
  { database, transaction }: CommandRequest,
  { store }: ClusterContext,
  written: 'inserted' | 'changed' = 'changed',
): void {
  checkUuid(uuid, database, name, store);
  if (transaction === undefined) return;
  if (store.collection(database, name)?.options.has('timeseries') !== true) return;
  throw new ServerError('OperationNotSupportedInTransaction', `${refused[written]}: ${database}.${name}`);
}

const refused = {
  inserted: 'Cannot insert into a time-series collection in a multi-document transaction',
  changed: 'Cannot perform a multi-document transaction on a time-series collection',
};
