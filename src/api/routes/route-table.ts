import type { HTTPMethod } from 'find-my-way';
import router from 'find-my-way';
import { Links } from '../answer/links.ts';
import type { AnyOperation, PathParameter } from '../operation.ts';
import type { PlannedOperation } from '../planned/index.ts';
import { namesIn, routerPattern } from './path-template.ts';
import { Route } from './route.ts';
import { basePaths, type Surface } from './surface.ts';

/** What decides how a path is read. */
export interface RouteTableOptions {
  readonly operations: readonly AnyOperation[];
  readonly planned: readonly PlannedOperation[];
  readonly parameters: Readonly<Record<string, PathParameter>>;
  /** Ids and tags of operations, besides those that say so themselves. */
  readonly rateLimited: readonly string[];
}

/** An operation and the values of its path parameters. */
export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const MAX_PARAMETER_LENGTH = 4096;

const routerOptions = {
  maxParamLength: MAX_PARAMETER_LENGTH,
  ignoreTrailingSlash: true,
  // The expressions are ours, one in all: proving them safe anew for every path takes 4% of a start.
  allowUnsafeRegex: true,
};

let kept: { readonly options: RouteTableOptions; readonly table: RouteTable } | undefined;

/**
 * That of these operations. Services of one process serve the same ones, and nothing in it belongs to one of them: all
 * but the first take it as it is, with whatever was compiled on the first use of an operation. Throws a TypeError for
 * operations that contradict each other.
 */
export function routeTable(options: RouteTableOptions): RouteTable {
  if (kept === undefined || !areSame(kept.options, options)) {
    kept = { options, table: new RouteTable(options) };
  }
  return kept.table;
}

/** Operations by method and path. */
export class RouteTable {
  readonly routes: readonly Route[];
  /** Those that are not served yet, and which no served one covers. */
  readonly toCome: readonly Route[];
  readonly links: Links;
  readonly #service = router(routerOptions);
  readonly #operator = router(routerOptions);

  constructor({ operations, planned, parameters, rateLimited }: RouteTableOptions) {
    const limited = new Set(rateLimited);
    const ready = (operation: AnyOperation) => new Route(operation, parameters, limited);
    this.routes = operations.map(ready);
    checkRoutes(this.routes);
    this.toCome = uncovered(planned, operations).map((each) => ready(asOperation(each)));
    this.links = new Links(this.routes);
    for (const route of this.routes) {
      const { method, path, surface } = route.operation;
      const below = surface === 'operator' ? this.#operator : this.#service;
      below.on(method, routerPattern(path), unused, route);
    }
  }

  /** The served operation of a path without its query, whatever surface it exists in; HEAD is answered wherever GET is. */
  find(method: string, path: string, surface: Surface): Found | undefined {
    const below = surface === 'operator' ? this.#operator : this.#service;
    const asked = (method === 'HEAD' ? 'GET' : method) as HTTPMethod;
    const found = below.find(asked, path.slice(basePaths[surface].length) || '/');
    return found?.store ? { route: found.store, params: found.params as Found['params'] } : undefined;
  }
}

/** The router wants to be given what it would call. */
function unused(): never {
  throw new TypeError('Operations are looked up, not called by the router');
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

/** Whether all that was given are the same objects; those of one service are made of the same families as the next one's. */
function areSame(left: RouteTableOptions, right: RouteTableOptions): boolean {
  const rulesOf = ({ parameters }: RouteTableOptions) => Object.entries(parameters).flat();
  return (
    areEqual(left.operations, right.operations) &&
    areEqual(left.planned, right.planned) &&
    areEqual(rulesOf(left), rulesOf(right)) &&
    areEqual(left.rateLimited, right.rateLimited)
  );
}

function areEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}
