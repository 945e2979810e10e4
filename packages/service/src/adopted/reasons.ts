import { errorMessage } from '@portolan/foundation/thrown';
import type { TopologyDescription } from 'mongodb';
import { isPassing } from './connection.ts';

/** Whether to check again after an error. A check that times out because a server is slow is not repeated. */
export const isBrokenConnection = (error: unknown) => isClosedConnection(error) || isPassing(error);

/** Names of the driver's errors for a connection that ended, itself or because another one of its pool failed. */
const CLOSED = new Set(['MongoNetworkError', 'MongoPoolClearedError']);

const isClosedConnection = (error: unknown) => CLOSED.has((error as Error).name);

/** Returns the driver's message. The message names the servers and their errors, but contains no credentials. */
export function reasonOf(error: unknown): string {
  const reasons = (error as { readonly reason?: TopologyDescription }).reason?.servers;
  const causes = [...(reasons?.values() ?? [])].flatMap(({ address, error: cause }) =>
    cause === null || cause === undefined ? [] : [`${address}: ${cause.message}`],
  );
  if (causes.length > 0) return causes.join('; ');
  return isClosedConnection(error) ? `a connection was closed: ${errorMessage(error)}` : errorMessage(error);
}
