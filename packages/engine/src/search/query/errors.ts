import { ServerError } from '../../errors/server-error.ts';

/** What is wrong with a search: the code that errors of the part that searches have, whatever they are about. */
export function searchError(text: string): ServerError {
  return new ServerError('UnknownError', text);
}
