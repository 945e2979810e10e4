import { EngineUnavailable } from '@portolan/engine/management';
import { clipped } from '@portolan/foundation/clipped';
import { errorMessage } from '@portolan/foundation/thrown';
import type { TopologyDescription } from 'mongodb';
import { codeOf } from '../replication/error-codes.ts';
import { isPassing } from './connection.ts';

/** Whether to check again after an error. A check that times out because a server is slow is not repeated. */
export const isBrokenConnection = (error: unknown) => isClosedConnection(error) || isPassing(error);

const AUTHENTICATION_FAILED = 18;

/** Whether a server has refused the credentials. */
export const isRefusedLogin = (error: unknown) => codeOf(error) === AUTHENTICATION_FAILED;

/**
 * Names of the driver's errors for a closed connection. A connection is closed when it fails, or when another
 * connection of its pool fails.
 */
const CLOSED = new Set(['MongoNetworkError', 'MongoPoolClearedError']);

const isClosedConnection = (error: unknown) => CLOSED.has((error as Error).name);

/**
 * Returns the driver's message. The message names the servers and their errors, but contains no credentials. A long
 * message is cut off, because servers choose its length, and events contain it.
 */
export const reasonOf = (error: unknown): string => clipped(wholeReasonOf(error));

function wholeReasonOf(error: unknown): string {
  const reasons = (error as { readonly reason?: TopologyDescription }).reason?.servers;
  const causes = [...(reasons?.values() ?? [])].flatMap(({ address, error: cause }) =>
    cause === null || cause === undefined ? [] : [`${address}: ${cause.message}`],
  );
  if (causes.length > 0) return causes.join('; ');
  return isClosedConnection(error) ? `a connection was closed: ${errorMessage(error)}` : errorMessage(error);
}

/**
 * Names of the driver's errors for a command without a reply. `AbortSignal.timeout` causes the error
 * `TimeoutError`.
 */
const WITHOUT_REPLY = new Set([
  ...CLOSED,
  'MongoClientClosedError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'TimeoutError',
]);

/**
 * Returns the result of `command`. Throws `EngineUnavailable` if no server has replied. Throws other errors unchanged,
 * since they are not errors of the network.
 */
export async function answered<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw WITHOUT_REPLY.has((error as Error).name) ? unavailable(error) : error;
  }
}

/** Returns the error of a deployment to which the service could not connect. */
export const unavailable = (error: unknown) => new EngineUnavailable(reasonOf(error), { cause: error });
