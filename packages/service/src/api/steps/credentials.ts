import { assertAddressAllowed, type Caller } from '../../access/index.ts';
import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Authenticates the caller; undefined for the operator, and for operations that need no credentials. Unknown paths
 * require credentials too, so that outsiders cannot find out which paths exist.
 */
export async function identify(edge: Edge, exchange: Exchange): Promise<Caller | undefined> {
  const session = mayHaveSession(exchange) ? await edge.sessions?.(exchange) : undefined;
  exchange.session = session;
  if (exchange.surface?.kind === 'operator') {
    if (session?.isOperator) return undefined;
    return edge.access.authenticateOperator(exchange.authorization).then(() => undefined);
  }
  if (exchange.route?.operation.access === 'no credentials') return undefined;
  if (session !== undefined) return session.caller;
  return edge.access.authenticate({
    method: exchange.method,
    target: exchange.target,
    absoluteTarget: exchange.absoluteTarget,
    authorization: exchange.authorization,
    address: exchange.address,
  });
}

/**
 * Whether a page of the console may have sent the request. Pages send a session cookie or a CSRF token, all other
 * clients send credentials.
 */
function mayHaveSession({ authorization, cookie, csrfToken }: Exchange): boolean {
  return authorization === undefined && (cookie !== undefined || csrfToken !== undefined);
}

export function checkAddress(edge: Edge, caller: Caller | undefined, exchange: Exchange): void {
  if (!caller) return;
  assertAddressAllowed(caller, exchange.address);
  edge.access.recordUse(caller, exchange.address);
}
