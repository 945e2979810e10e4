import { wait } from '@portolan/foundation/wait';
import type { Edge } from '../edge.ts';
import type { Admitted, Exchange } from '../exchange.ts';

/** Response header that distinguishes declared faults from real ones. */
const HEADER = 'x-declared-fault';

/**
 * Applies the fault that the operator declared for a request. Requests of the operator and of the service itself are
 * exempt: a fault on requests that apply a seed would prevent the service from starting.
 */
export async function injectFault(edge: Edge, exchange: Exchange, admitted: Admitted): Promise<void> {
  const { operation } = admitted.route;
  if (edge.injectFault === undefined || operation.surface === 'operator' || exchange.isOwn) return;
  const injected = await edge.injectFault({
    operation: operation.id,
    tag: operation.tag,
    params: admitted.params,
  });
  if (injected === undefined) return;
  exchange.headers[HEADER] = injected.by;
  if (injected.delayMilliseconds > 0) await wait(edge.services.machine, injected.delayMilliseconds);
  exchange.disconnect = injected.disconnect;
  if (injected.fault !== undefined) throw injected.fault;
}
