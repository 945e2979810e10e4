import { ServerError } from '../../errors/server-error.ts';

/** An error of a search. The server's search process reports all of them with this code. */
export function searchError(text: string): ServerError {
  return new ServerError('UnknownError', text);
}
