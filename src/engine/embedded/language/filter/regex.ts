import { ServerError } from '../../server-error.ts';

/**
 * A pattern where a value is expected matches texts by it. This engine has no patterns yet, and answers as to
 * any operator that it does not know: comparing the pattern as a value would be a wrong answer.
 */
export function refuseRegex(): never {
  throw new ServerError('BadValue', 'unknown operator: $regex');
}
