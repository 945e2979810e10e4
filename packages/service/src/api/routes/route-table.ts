import type { AnyOperation, PathParameter } from '../operation.ts';
import { Links } from './links.ts';
import { namesIn } from './path-template.ts';
import { type PathMatch, PathTree } from './path-tree.ts';
import { Route } from './route.ts';
import { basePaths, existsIn, type Surface } from './surface.ts';

/** Options of the route table. */
export interface RouteTableOptions {
  readonly operations: readonly AnyOperation[];
  readonly parameters: Readonly<Record<string, PathParameter>>;
  /** Ids and tags of further rate-limited operations. */
  readonly rateLimited: readonly string[];
}

/** An operation and the values of its path parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The result of a lookup. */
export interface RouteLookup {
  /** The operation of this method, if any. */
  readonly found: RouteMatch | undefined;
  /** Methods of the path; empty if there is no such path. */
  readonly allow: readonly string[];
}

let kept: { readonly options: RouteTableOptions; readonly table: RouteTable } | undefined;

/**
 * Returns the route table of these operations. All services of the process share it, and what was compiled on first
 * use, since it contains no data of a service. Throws a TypeError for conflicting operations.
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
  readonly links: Links;
  readonly #service = new PathTree<Route>();
  readonly #operator = new PathTree<Route>();

  constructor({ operations, parameters, rateLimited }: RouteTableOptions) {
    const limited = new Set(rateLimited);
    this.routes = operations.map((operation) => new Route(operation, parameters, limited));
    checkRoutes(this.routes);
    this.links = new Links(this.routes);
    for (const route of this.routes) {
      this.#below(route.operation.surface).add(route.operation.path, route);
    }
  }

  /** Looks up a path without its query. HEAD is available wherever GET is (docs/contract/api.md 4.1). */
  find(method: string, path: string, surface: Surface): RouteLookup {
    const matches = this.#below(surface)
      .match(path.slice(basePaths[surface].length))
      .filter(({ value: { operation } }) => existsIn(operation, surface));
    // No name may end in a colon and a verb, so that a custom method takes precedence.
    const custom = matches.filter(({ value }) => value.isCustom);
    const fitting = custom.length > 0 ? custom : matches;
    const asked = method === 'HEAD' ? 'GET' : method;
    const match = fitting.find(({ value }) => value.operation.method === asked);
    const found = match && { route: match.value, params: paramsOf(match) };
    return { found, allow: found ? [] : allowOf(fitting.map(({ value }) => value.operation)) };
  }

  #below(surface: Surface | 'service' = 'service'): PathTree<Route> {
    return surface === 'operator' ? this.#operator : this.#service;
  }
}

function paramsOf({ value, values }: PathMatch<Route>): RouteMatch['params'] {
  return Object.fromEntries(value.parameters.map(({ name }, index) => [name, values[index] ?? '']));
}

/** The `Allow` methods of one path. */
export function allowOf(standing: ReadonlyArray<{ readonly method: string }>): readonly string[] {
  const methods = standing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)].sort();
}

function routeKeyOf({ method, path, surface }: Pick<AnyOperation, 'method' | 'path' | 'surface'>): string {
  return `${surface ?? 'service'} ${method} ${path.replace(/\{\w+\}/g, '{}')}`;
}

const withoutScope = new Set<string>(['any caller', 'no credentials', 'operator']);

function checkRoutes(routes: readonly Route[]): void {
  const seen = new Map<string, string>();
  for (const { operation, scopeParameter, parameters } of routes) {
    const key = routeKeyOf(operation);
    const other = seen.get(key) ?? (seen.has(operation.id) ? operation.id : undefined);
    if (other !== undefined)
      throw new TypeError(
        `The operations ${other} and ${operation.id} have the same path and method, or the same id`,
      );
    seen.set(key, operation.id).set(operation.id, operation.id);
    if (!withoutScope.has(operation.access) && scopeParameter === undefined) {
      throw new TypeError(
        `The operation ${operation.id} requires a role, but its path names no project or organization`,
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

/** Whether both hold identical objects: all services use the same families. */
function areSame(left: RouteTableOptions, right: RouteTableOptions): boolean {
  const rulesOf = ({ parameters }: RouteTableOptions) => Object.entries(parameters).flat();
  return (
    areEqual(left.operations, right.operations) &&
    areEqual(rulesOf(left), rulesOf(right)) &&
    areEqual(left.rateLimited, right.rateLimited)
  );
}

function areEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}
