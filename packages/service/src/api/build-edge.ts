import { callerAddress } from '../access/index.ts';
import { ResponseCache } from './answer/response-cache.ts';
import { type Dialect, neutralDialect } from './dialect/dialect.ts';
import type { Edge } from './edge.ts';
import { BodyBudget } from './http/body-budget.ts';
import { defaultLimits } from './http/limits.ts';
import { originFinder } from './http/origin.ts';
import type { Mount } from './mounts.ts';
import type { ApiOptions } from './options.ts';
import { memoryRates } from './rates/rates.ts';
import { sharedRates } from './rates/shared.ts';
import { PathTree } from './routes/path-tree.ts';
import { allowOf, type RouteTable, routeTable } from './routes/route-table.ts';
import { surfaceFinder } from './routes/surface.ts';
import { scopeFinder } from './steps/scope.ts';

/** The edge's parts. */
export interface BuiltEdge {
  readonly edge: Edge;
  close(): void;
}

/** Builds the edge. Throws a TypeError for conflicting operations. */
export function buildEdge(options: ApiOptions, mounts: readonly Mount[]): BuiltEdge {
  const { services, access, operations, parameters, rateLimited = [], dialects = [] } = options;
  const tables = new Map<Dialect, RouteTable>();
  const tableOf = (dialect: Dialect): RouteTable => {
    const table = tables.get(dialect) ?? routeTable({ dialect, operations, parameters, rateLimited });
    tables.set(dialect, table);
    return table;
  };
  // Conflicting operations are found at startup.
  tableOf(neutralDialect);
  const findScope = scopeFinder(services.store, services.machine, parameters);
  const mounted = new PathTree<Mount>();
  for (const mount of mounts) mounted.add(mount.path, mount);
  const shared = services.store.capabilities.shared;
  return {
    edge: {
      services,
      read: (work) => services.store.read(work),
      write: (work) => services.store.write(work),
      access,
      callerAddress: callerAddress(options.trustedProxies ?? []),
      originOf: originFinder(services),
      findScope,
      surfaceOf: surfaceFinder([neutralDialect, ...dialects]),
      tableOf,
      mountedMethods: (path) => allowOf(mounted.match(path).map(({ value }) => value)),
      rates: options.rates ?? (shared ? sharedRates(services.store) : memoryRates()),
      injectFault: options.injectFault,
      responseCache: new ResponseCache(),
      limits: { ...defaultLimits, ...options.limits },
      budget: new BodyBudget(),
      strictVersions: options.strictVersions ?? false,
    },
    close: () => findScope.close(),
  };
}
