import { ServerError } from '../../errors/server-error.ts';

/** Creates an error of a search. The server's search process reports all of its errors with this code. */
export function searchError(text: string): ServerError {
  return new ServerError('UnknownError', text);
}
