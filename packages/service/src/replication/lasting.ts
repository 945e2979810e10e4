import { MongoServerError } from 'mongodb';
import { codeOf } from './endpoints.ts';
import { HISTORY_LOST, REFUSED } from './error-codes.ts';
import { PermanentError } from './permanent-error.ts';

/** A `PermanentError` if a repetition cannot mend an error of a copy, otherwise an error with the message. */
export function lastingOr(error: unknown, message = (error as Error).message): Error {
  if (error instanceof PermanentError) return error;
  const code = error instanceof MongoServerError ? codeOf(error) : undefined;
  const isLasting = REFUSED.has(code) || HISTORY_LOST.has(code);
  return isLasting ? new PermanentError(message) : new Error(message, { cause: error });
}
