import { clipped } from '@portolan/foundation/clipped';
import { OVERDUE, PASSING } from '../../replication/error-codes.ts';

const USER_EXISTS = 51003;
const ROLE_EXISTS = 51002;
const USER_NOT_FOUND = 11;
const ROLE_NOT_FOUND = 31;

const UNSATISFIABLE_WRITE_CONCERN = 100;
const CONFLICTING_OPERATION_IN_PROGRESS = 117;

/** Error codes after which the same command may succeed later. */
const passing: ReadonlySet<unknown> = new Set([
  ...PASSING,
  ...OVERDUE,
  UNSATISFIABLE_WRITE_CONCERN,
  CONFLICTING_OPERATION_IN_PROGRESS,
]);

interface ServerError extends Error {
  readonly code?: unknown;
}

/**
 * Returns the reason why a server has refused a command, or undefined if the command may succeed when it is repeated.
 */
export function refusalIn(error: unknown): string | undefined {
  const { name, message, code } = error as ServerError;
  return name === 'MongoServerError' && !passing.has(code) ? clipped(message) : undefined;
}

/** Whether a server has refused to create an account because it exists. */
export function isTaken(error: unknown): boolean {
  const { code } = error as ServerError;
  return code === USER_EXISTS || code === ROLE_EXISTS;
}

/** Whether a server has refused to drop an account because it does not exist. */
export function isMissing(error: unknown): boolean {
  const { code } = error as ServerError;
  return code === USER_NOT_FOUND || code === ROLE_NOT_FOUND;
}
