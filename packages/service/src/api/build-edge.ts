import { callerAddress } from '../access/index.ts';
import { KeptTexts } from './answer/kept-texts.ts';
import type { Edge } from './edge.ts';
import { BodyRoom } from './http/body-room.ts';
import { defaultLimits } from './http/limits.ts';
import { originFinder } from './http/origin.ts';
import type { Mount } from './mounts.ts';
import type { ApiOptions } from './options.ts';
import { memoryRates } from './rates/rates.ts';
import { sharedRates } from './rates/shared.ts';
import { PathTree } from './routes/path-tree.ts';
import { allowOf, routeTable } from './routes/route-table.ts';
import { scopeFinder } from './steps/scope.ts';

/** The edge's parts. */
export interface BuiltEdge {
  readonly edge: Edge;
  close(): void;
}

/** Puts the edge together. Throws a TypeError for operations that contradict each other. */
export function buildEdge(options: ApiOptions, mounts: readonly Mount[]): BuiltEdge {
  const { services, access, operations, parameters, planned = [], rateLimited = [] } = options;
  const table = routeTable({ operations, parameters, planned, rateLimited });
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
      table,
      mountedMethods: (path) => allowOf(mounted.match(path).map(({ value }) => value)),
      rates: options.rates ?? (shared ? sharedRates(services.store) : memoryRates()),
      interfere: options.interfere,
      kept: new KeptTexts(),
      limits: { ...defaultLimits, ...options.limits },
      room: new BodyRoom(),
      strictVersions: options.strictVersions ?? false,
    },
    close: () => findScope.close(),
  };
}
