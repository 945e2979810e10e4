import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { RouteMatch } from '../routes/route-table.ts';

/**
 * Returns the operation of a method and path. Throws 404 `RESOURCE_NOT_FOUND`, 405 with `Allow`, and 501
 * `RESOURCE_NOT_AVAILABLE` for an operation that the dialect has but this service does not serve.
 */
export function findOperation(edge: Edge, { route, params, surface, method, path }: Exchange): RouteMatch {
  if (route && surface) return { route, surface, params };
  const lookup = surface && edge.tableOf(surface.dialect).find(method, path, surface);
  if (lookup?.unserved !== undefined) throw generalFaults.RESOURCE_NOT_AVAILABLE(lookup.unserved);
  const allow = lookup?.allow ?? edge.mounts.methodsOf(path);
  if (allow.length === 0) throw generalFaults.RESOURCE_NOT_FOUND(path);
  throw protocolFault(405, `The resource does not support ${method}.`).with({
    headers: { Allow: allow.join(', ') },
  });
}
