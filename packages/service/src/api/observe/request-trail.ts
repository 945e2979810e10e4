import type { Edge } from '../edge.ts';
import { type Exchange, labelOf } from '../exchange.ts';

/**
 * Records a request in the trail of the caller's organization; requests without a known caller are not
 * recorded.
 */
export function recordRequest(edge: Edge, exchange: Exchange, status: number, milliseconds: number): void {
  const { caller } = exchange;
  if (!caller) return;
  edge.access.recordRequest(caller.orgId, {
    requestId: exchange.id,
    at: edge.services.machine.now(),
    caller: { kind: caller.kind, id: caller.id, name: caller.name },
    address: exchange.address,
    operation: labelOf(exchange),
    method: exchange.method,
    path: exchange.path,
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
  });
}
