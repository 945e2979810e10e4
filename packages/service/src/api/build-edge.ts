import { callerAddress } from '../access/index.ts';
import { commonHeaders } from './answer/headers.ts';
import { ResponseCache } from './answer/response-cache.ts';
import { type Dialect, neutralDialect } from './dialect/dialect.ts';
import type { Edge } from './edge.ts';
import { BodyBudget } from './http/body-budget.ts';
import { defaultLimits } from './http/limits.ts';
import { originFinder } from './http/origin.ts';
import { ReplyBudget } from './http/reply-budget.ts';
import { healthMounts } from './observe/health.ts';
import { metrics } from './observe/metrics.ts';
import type { ApiOptions } from './options.ts';
import { memoryRates } from './rates/rates.ts';
import { sharedRates } from './rates/shared.ts';
import { MountTable } from './routes/mount-table.ts';
import { type RouteTable, routeTable } from './routes/route-table.ts';
import { surfaceFinder } from './routes/surface.ts';
import { scopeFinder } from './steps/scope.ts';

/** The HTTP layer, and the functions that close it. */
export interface BuiltEdge {
  readonly edge: Edge;
  /** Makes the server close every connection after its response. */
  beginToClose(): void;
  close(): void;
}

/** Builds the HTTP layer. Throws a TypeError for conflicting operations. */
export function buildEdge(options: ApiOptions): BuiltEdge {
  const { services, access, operations, parameters, rateLimited = [], dialects = [], trouble } = options;
  const tables = new Map<Dialect, RouteTable>();
  const tableOf = (dialect: Dialect): RouteTable => {
    const table = tables.get(dialect) ?? routeTable({ dialect, operations, parameters, rateLimited });
    tables.set(dialect, table);
    return table;
  };
  // Build this table now, so that conflicting operations are found at the start of the service.
  tableOf(neutralDialect);
  const findScope = scopeFinder(services.store, services.machine, parameters);
  const measured = metrics();
  const health = healthMounts(measured, trouble ?? (async () => undefined));
  const shared = services.store.capabilities.shared;
  let isClosing = false;
  return {
    edge: {
      services,
      read: (work) => services.store.read(work),
      write: (work) => services.store.write(work),
      access,
      sessions: options.sessions,
      callerAddress: callerAddress(options.trustedProxies ?? []),
      originOf: originFinder(services),
      findScope,
      surfaceOf: surfaceFinder([neutralDialect, ...dialects]),
      tableOf,
      mounts: new MountTable([...(options.mounts ?? []), ...health]),
      headers: commonHeaders(options.build, options.tls !== undefined),
      metrics: measured,
      isClosing: () => isClosing,
      rates: options.rates ?? (shared ? sharedRates(services.store) : memoryRates()),
      injectFault: options.injectFault,
      responseCache: new ResponseCache(),
      limits: { ...defaultLimits, ...options.limits },
      budget: new BodyBudget(),
      replies: new ReplyBudget(),
      strictVersions: options.strictVersions ?? false,
    },
    beginToClose() {
      isClosing = true;
    },
    close: () => findScope.close(),
  };
}
