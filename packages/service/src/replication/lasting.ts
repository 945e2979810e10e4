import { serverCodeOf } from './endpoints.ts';
import { HISTORY_LOST, REFUSED } from './error-codes.ts';
import { PermanentError } from './permanent-error.ts';
import { Stalled } from './stall.ts';

/**
 * Returns the error to throw for an error of a copy: a `PermanentError` if a new copy would fail in the same way,
 * otherwise an error with the given message.
 */
export function lastingOr(error: unknown, message = (error as Error).message): Error {
  if (error instanceof PermanentError) return error;
  const isLasting = error instanceof Stalled || REFUSED.has(serverCodeOf(error));
  return isLasting ? new PermanentError(message) : new Error(message, { cause: error });
}

/**
 * Whether a copy cannot continue after an error. In some of these cases, a new copy that starts at a later operation
 * time can succeed.
 */
export function endsCopy(error: unknown): boolean {
  return HISTORY_LOST.has(serverCodeOf(error)) || lastingOr(error) instanceof PermanentError;
}
