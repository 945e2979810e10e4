import { callerAddress } from '../access/index.ts';
import { KeptTexts } from './answer/kept-texts.ts';
import { Links } from './answer/links.ts';
import type { Edge } from './edge.ts';
import { BodyRoom } from './http/body-room.ts';
import { defaultLimits } from './http/limits.ts';
import { originFinder } from './http/origin.ts';
import type { Mount } from './mounts.ts';
import type { AnyOperation } from './operation.ts';
import type { ApiOptions } from './options.ts';
import type { PlannedOperation } from './planned/index.ts';
import { memoryRates } from './rates/rates.ts';
import { sharedRates } from './rates/shared.ts';
import { namesIn } from './routes/path-template.ts';
import { Route } from './routes/route.ts';
import { unroutedFinder } from './routes/unrouted.ts';
import { scopeFinder } from './steps/scope.ts';

/** The edge's parts, and the operations that get a route. */
export interface BuiltEdge {
  readonly edge: Edge;
  readonly routes: readonly Route[];
  close(): void;
}

/** Puts the edge together. Throws a TypeError for operations that contradict each other. */
export function buildEdge(options: ApiOptions, mounts: readonly Mount[]): BuiltEdge {
  const { services, access, operations, parameters } = options;
  const limited = new Set(options.rateLimited ?? []);
  const ready = (operation: AnyOperation) => new Route(operation, parameters, limited);
  const routes = operations.map(ready);
  checkRoutes(routes);
  const toCome = uncovered(options.planned ?? [], operations).map((planned) => ready(asOperation(planned)));
  const findScope = scopeFinder(services.store, services.machine, parameters);
  const shared = services.store.capabilities.shared;
  return {
    routes,
    edge: {
      services,
      read: (work) => services.store.read(work),
      write: (work) => services.store.write(work),
      access,
      callerAddress: callerAddress(options.trustedProxies ?? []),
      originOf: originFinder(services),
      findScope,
      findUnrouted: unroutedFinder([...routes, ...toCome], mounts),
      rates: options.rates ?? (shared ? sharedRates(services.store) : memoryRates()),
      interfere: options.interfere,
      links: new Links(routes),
      kept: new KeptTexts(),
      limits: { ...defaultLimits, ...options.limits },
      room: new BodyRoom(),
      strictVersions: options.strictVersions ?? false,
    },
    close: () => findScope.close(),
  };
}

/** Operations to come that no served one covers, by id or by method and path whatever its parameters are called. */
function uncovered(
  planned: readonly PlannedOperation[],
  served: readonly AnyOperation[],
): readonly PlannedOperation[] {
  const ids = new Set(served.map(({ id }) => id));
  const places = new Set(served.map(placeOf));
  return planned.filter((operation) => !ids.has(operation.id) && !places.has(placeOf(operation)));
}

function placeOf({ method, path, surface }: Pick<AnyOperation, 'method' | 'path' | 'surface'>): string {
  return `${surface ?? 'service'} ${method} ${path.replace(/\{\w+\}/g, '{}')}`;
}

/** An operation to come exists in its versions, and is available in none. */
function asOperation({ id, method, path, tag, versions }: PlannedOperation): AnyOperation {
  return {
    id,
    summary: '',
    tag,
    method,
    path,
    access: 'any caller',
    versions: Object.fromEntries(versions.map((version) => [version, 'unavailable' as const])),
    status: 200,
    handler: () => Promise.reject(new TypeError(`The operation ${id} is not served`)),
  };
}

const withoutScope = new Set<string>(['any caller', 'no credentials', 'operator']);

function checkRoutes(routes: readonly Route[]): void {
  const seen = new Map<string, string>();
  for (const { operation, scopeParameter, parameters } of routes) {
    const place = placeOf(operation);
    const other = seen.get(place) ?? (seen.has(operation.id) ? operation.id : undefined);
    if (other !== undefined)
      throw new TypeError(`The operations ${other} and ${operation.id} are declared for one place`);
    seen.set(place, operation.id).set(operation.id, operation.id);
    if (!withoutScope.has(operation.access) && scopeParameter === undefined) {
      throw new TypeError(
        `The operation ${operation.id} asks for a role, but its path names no project or organization`,
      );
    }
    for (const { name, rule } of parameters) {
      if (rule === undefined)
        throw new TypeError(`The operation ${operation.id} has the undeclared parameter ${name}`);
    }
    if (namesIn(operation.path).length !== new Set(namesIn(operation.path)).size) {
      throw new TypeError(`The path of the operation ${operation.id} names a parameter twice`);
    }
  }
}
