import { serverCodeOf } from './endpoints.ts';
import { HISTORY_LOST, REFUSED } from './error-codes.ts';
import { PermanentError } from './permanent-error.ts';
import { Stalled } from './stall.ts';

/** A `PermanentError` if a new copy cannot mend an error of a copy, otherwise an error with the message. */
export function lastingOr(error: unknown, message = (error as Error).message): Error {
  if (error instanceof PermanentError) return error;
  const isLasting = error instanceof Stalled || REFUSED.has(serverCodeOf(error));
  return isLasting ? new PermanentError(message) : new Error(message, { cause: error });
}

/** Whether a copy cannot continue after an error. A new copy, which starts from a newer operation, may be possible. */
export function endsCopy(error: unknown): boolean {
  return HISTORY_LOST.has(serverCodeOf(error)) || lastingOr(error) instanceof PermanentError;
}
