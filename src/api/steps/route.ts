import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { Found } from '../routes/route-table.ts';
import { existsIn } from '../routes/surface.ts';

/** The operation of method and path, served or to come. Throws 404 `RESOURCE_NOT_FOUND`, 405 with `Allow`. */
export function findOperation(edge: Edge, exchange: Exchange): Found {
  const { route, params, surface, method, path } = exchange;
  if (route && surface && existsIn(route.operation, surface)) {
    // The router takes `x:restart` for a name where the custom method `:restart` does not know the request's method.
    const mayMean = path.includes(':') && !route.operation.path.includes(':');
    if (!mayMean || !edge.findUnrouted(method, path, surface).custom) return { route, params };
  }
  const unrouted = edge.findUnrouted(method, path, surface);
  if (unrouted.route && unrouted.params) return { route: unrouted.route, params: unrouted.params };
  if (unrouted.allow.length === 0) throw generalFaults.RESOURCE_NOT_FOUND(path);
  throw protocolFault(405, `The resource does not support ${method}.`).with({
    headers: { Allow: unrouted.allow.join(', ') },
  });
}
