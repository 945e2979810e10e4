import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { RouteMatch } from '../routes/route-table.ts';

/** Returns the operation of method and path. Throws 404 `RESOURCE_NOT_FOUND`, 405 with `Allow`. */
export function findOperation(edge: Edge, { route, params, surface, method, path }: Exchange): RouteMatch {
  if (route) return { route, params };
  const allow = surface ? edge.table.find(method, path, surface).allow : edge.mountedMethods(path);
  if (allow.length === 0) throw generalFaults.RESOURCE_NOT_FOUND(path);
  throw protocolFault(405, `The resource does not support ${method}.`).with({
    headers: { Allow: allow.join(', ') },
  });
}
