import { assertAddressAllowed, type Caller } from '../../access/index.ts';
import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';

const nobody = Promise.resolve(undefined);

/**
 * Authenticates the caller; undefined for the operator, and if no credentials are required. Unknown paths
 * require credentials too, so that outsiders cannot probe paths.
 */
export function identify(edge: Edge, exchange: Exchange): Promise<Caller | undefined> {
  if (exchange.surface?.kind === 'operator') {
    return edge.access.authenticateOperator(exchange.authorization).then(() => undefined);
  }
  if (exchange.route?.operation.access === 'no credentials') return nobody;
  return edge.access.authenticate({
    method: exchange.method,
    target: exchange.target,
    absoluteTarget: exchange.absoluteTarget,
    authorization: exchange.authorization,
    address: exchange.address,
  });
}

export function checkAddress(edge: Edge, caller: Caller | undefined, exchange: Exchange): void {
  if (!caller) return;
  assertAddressAllowed(caller, exchange.address);
  edge.access.recordUse(caller, exchange.address);
}
