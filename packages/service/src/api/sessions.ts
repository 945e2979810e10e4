import type { Caller, Session } from '../access/index.ts';
import type { Exchange } from './exchange.ts';

/** A caller with a session. */
interface SessionCaller extends Session {
  readonly caller: Caller;
  /** Whether the session also has the operator's privileges. */
  readonly isOperator: boolean;
}

/**
 * Returns the caller of a request with a session cookie; undefined without a session. Throws 401 without a challenge if
 * a page of the console sends a session that has ended. Throws 403 if a request that changes something lacks the
 * session's CSRF token.
 */
export type SessionAuthenticator = (
  request: Pick<Exchange, 'cookie' | 'csrfToken' | 'method'>,
) => Promise<SessionCaller | undefined>;
