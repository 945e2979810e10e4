import type { Caller, Scope } from '../../access/index.ts';
import type { Edge } from '../edge.ts';
import { type Exchange, labelOf } from '../exchange.ts';

/** Records a request in the trail of the caller's organization. Ignores requests without a known caller. */
export function recordRequest(edge: Edge, exchange: Exchange, status: number, milliseconds: number): void {
  const { caller } = exchange;
  const orgId = caller && organizationOf(caller, exchange.admitted?.scope);
  if (!caller || !orgId) return;
  edge.access.recordRequest(orgId, {
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

/**
 * Returns the organization whose trail records the request. A person may belong to several organizations, so the
 * organization of the requested project is used.
 */
function organizationOf(caller: Caller, scope: Scope | undefined): string {
  if (caller.kind !== 'user' || scope === undefined) return caller.orgId;
  return scope.kind === 'org' ? scope.id : scope.orgId;
}
