import type { Caller } from '../access/index.ts';
import type { Exchange } from './exchange.ts';

/** A caller with a session. */
interface SessionCaller {
  readonly caller: Caller;
  /** Whether the session also holds the rights of the operator. */
  readonly isOperator: boolean;
}

/**
 * Returns the caller of a request with a session cookie; undefined without a session. Throws 401 without a challenge for
 * a page whose session has ended, and 403 for a change without the CSRF token of the session.
 */
export type SessionAuthenticator = (
  request: Pick<Exchange, 'cookie' | 'csrfToken' | 'method'>,
) => Promise<SessionCaller | undefined>;
