import { Links } from '../answer/links.ts';
import type { AnyOperation, PathParameter } from '../operation.ts';
import type { PlannedOperation } from '../planned/index.ts';
import { namesIn } from './path-template.ts';
import { type PathMatch, PathTree } from './path-tree.ts';
import { Route } from './route.ts';
import { basePaths, existsIn, type Surface } from './surface.ts';

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

/** What stands at a path. */
export interface Reached {
  /** The operation of the method that was asked for, one that is to come where none is served. */
  readonly found: Found | undefined;
  /** Methods that the path has; empty: there is no such path. */
  readonly allow: readonly string[];
}

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
  /** Those that are served. */
  readonly routes: readonly Route[];
  readonly links: Links;
  readonly #service = new PathTree<Route>();
  readonly #operator = new PathTree<Route>();
  readonly #toCome: ReadonlySet<Route>;

  constructor({ operations, planned, parameters, rateLimited }: RouteTableOptions) {
    const limited = new Set(rateLimited);
    const ready = (operation: AnyOperation) => new Route(operation, parameters, limited);
    this.routes = operations.map(ready);
    checkRoutes(this.routes);
    this.#toCome = new Set(uncovered(planned, operations).map((each) => ready(asOperation(each))));
    this.links = new Links(this.routes);
    for (const route of [...this.routes, ...this.#toCome]) {
      this.#below(route.operation.surface).add(route.operation.path, route);
    }
  }

  /** What a path without its query leads to. HEAD is answered wherever GET is (contract 4.1). */
  find(method: string, path: string, surface: Surface): Reached {
    const matches = this.#below(surface)
      .match(path.slice(basePaths[surface].length))
      .filter(({ value: { operation } }) => existsIn(operation, surface));
    // No name may hold a colon and what follows it: where a custom method is meant, nothing else is.
    const custom = matches.filter(({ value }) => value.isCustom);
    const fitting = custom.length > 0 ? custom : matches;
    const asked = method === 'HEAD' ? 'GET' : method;
    const ofMethod = fitting.filter(({ value }) => value.operation.method === asked);
    const match = ofMethod.find(({ value }) => !this.#toCome.has(value)) ?? ofMethod[0];
    const found = match && { route: match.value, params: paramsOf(match) };
    return { found, allow: found ? [] : allowOf(fitting.map(({ value }) => value.operation)) };
  }

  #below(surface: Surface | 'service' = 'service'): PathTree<Route> {
    return surface === 'operator' ? this.#operator : this.#service;
  }
}

function paramsOf({ value, values }: PathMatch<Route>): Found['params'] {
  return Object.fromEntries(value.parameters.map(({ name }, index) => [name, values[index] ?? '']));
}

/** The methods of what stands at one path. */
export function allowOf(standing: ReadonlyArray<{ readonly method: string }>): readonly string[] {
  const methods = standing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)].sort();
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
