import { ServerError } from '../../errors/server-error.ts';
import type { CommandRequest } from '../context/request.ts';

/**
 * Throws if the request belongs to a transaction whose read concern is not `local`. In such a transaction, only writes
 * can create collections, by writing to a collection that does not exist.
 */
export function checkExplicitCreation({ transaction }: CommandRequest, what: string): void {
  if (transaction === undefined || transaction.readConcern === 'local') return;
  throw new ServerError(
    'OperationNotSupportedInTransaction',
    `Cannot create ${what} in a multi-document transaction with the read concern '${transaction.readConcern}'. ` +
      "The read concern must be 'local'.",
  );
}
