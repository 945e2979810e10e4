import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { Dialect, UnservedOperation } from '../dialect/dialect.ts';
import { operationsIn } from '../dialect/operations-in.ts';
import type { AnyOperation, PathParameter } from '../operation.ts';
import { Links } from './links.ts';
import { namesIn } from './path-template.ts';
import { type PathMatch, PathTree } from './path-tree.ts';
import { Route } from './route.ts';
import { existsIn, type Surface, surfacesOf } from './surface.ts';

export interface RouteTableOptions {
  readonly dialect: Dialect;
  readonly operations: readonly AnyOperation[];
  readonly parameters: Readonly<Record<string, PathParameter>>;
  /** Ids and tags of operations that are rate-limited although their declarations set no rate limit. */
  readonly rateLimited: readonly string[];
}

/** An operation with the values of its path parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly surface: Surface;
  readonly params: Readonly<Record<string, string>>;
}

export interface RouteLookup {
  /** The operation for the requested method, if any. */
  readonly found: RouteMatch | undefined;
  /** Methods of the path; empty for an unknown path. */
  readonly allow: readonly string[];
  /** The family that the path belongs to, if the dialect names the path but this service does not serve it. */
  readonly unserved?: string | undefined;
}

/** Maximum number of cached paths, which take at most half a megabyte. */
const MAX_KNOWN = 1000;
const MAX_KNOWN_LENGTH = 256;

const kept = new Map<Dialect, { readonly options: RouteTableOptions; readonly table: RouteTable }>();

/**
 * Returns the route table of these operations in a dialect. All services of the process share the table with its
 * compiled parts, since it contains no data of a service except the latest paths. Throws a TypeError for conflicting
 * operations.
 */
export function routeTable(options: RouteTableOptions): RouteTable {
  const last = kept.get(options.dialect);
  if (last !== undefined && areSame(last.options, options)) return last.table;
  const table = new RouteTable(options);
  kept.set(options.dialect, { options, table });
  return table;
}

/** Operations by method and path. */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly links: Links;
  readonly #service = new PathTree<Route>();
  readonly #operator = new PathTree<Route>();
  readonly #unserved = new PathTree<UnservedOperation>();
  readonly #readers = new Map<string, Route>();
  /** The latest lookups that found an operation, by method and path. Clients usually poll the same paths. */
  readonly #known = new BoundedCache<string, RouteLookup>({ entries: MAX_KNOWN });

  constructor({ dialect, operations, parameters, rateLimited }: RouteTableOptions) {
    const limited = new Set(rateLimited);
    this.routes = operationsIn(dialect.changes, operations).map(
      (operation) => new Route(operation, parameters, limited, dialect.changes),
    );
    checkRoutes(this.routes);
    this.links = new Links(this.routes, surfacesOf(dialect));
    for (const route of this.routes) {
      this.#below(route.operation.surface).add(route.operation.path, route);
      const { method, list, bytes } = route.operation;
      if (method === 'GET' && list === undefined && bytes === undefined)
        this.#readers.set(routeKeyOf(route.operation), route);
    }
    for (const one of dialect.changes?.unserved ?? []) this.#unserved.add(one.path, one);
  }

  /** Looks up a path without its query. HEAD is available wherever GET is (docs/contract/api.md 4.1). */
  find(method: string, path: string, surface: Surface): RouteLookup {
    // The key need not contain the surface, because the path begins with the base path of the surface.
    const key = `${method} ${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const lookup = this.#look(method, path, surface);
    if (lookup.found !== undefined && key.length <= MAX_KNOWN_LENGTH) this.#known.set(key, lookup);
    return lookup;
  }

  #look(method: string, path: string, surface: Surface): RouteLookup {
    const below = path.slice(surface.base.length);
    const matches = this.#matches(below, surface);
    // A custom method takes precedence over a parameter, since no parameter value can end in a colon and a method.
    const custom = matches.filter(({ value }) => value.isCustom);
    const fitting = custom.length > 0 ? custom : matches;
    const requestedMethod = method === 'HEAD' ? 'GET' : method;
    const match = fitting.find(({ value }) => value.operation.method === requestedMethod);
    const unserved = this.#unservedMatch(requestedMethod, path, surface);
    // A literal segment takes precedence over a parameter, even if the literal segment belongs to an operation that
    // is not served.
    if (match && (unserved === undefined || unserved.values.length >= match.values.length))
      return { found: { route: match.value, surface, params: paramsOf(match) }, allow: [] };
    const allow = allowOf(fitting.map(({ value }) => value.operation));
    return { found: undefined, allow, ...(unserved !== undefined && { unserved: unserved.value.family }) };
  }

  /** Finds the operations of a path. A path with former names of segments has the operations of the present names. */
  #matches(below: string, surface: Surface): PathMatch<Route>[] {
    const tree = this.#below(surface.kind === 'operator' ? 'operator' : 'service');
    const found = tree.match(below).filter(({ value: { operation } }) => existsIn(operation, surface));
    const present = found.length > 0 ? undefined : withPresentNames(below, surface);
    return present === undefined ? found : this.#matches(present, surface);
  }

  /** Returns the GET operation on the same path, which reads what the given operation changes. */
  readerOf({ operation }: Route): Route | undefined {
    return this.#readers.get(routeKeyOf({ ...operation, method: 'GET' }));
  }

  #unservedMatch(
    method: string,
    path: string,
    { base, kind, dialect }: Surface,
  ): PathMatch<UnservedOperation> | undefined {
    if (kind === 'operator' || dialect.changes === undefined) return undefined;
    return this.#unserved.match(path.slice(base.length)).find(({ value }) => value.method === method);
  }

  #below(surface: AnyOperation['surface'] = 'service'): PathTree<Route> {
    return surface === 'operator' ? this.#operator : this.#service;
  }
}

/**
 * Returns a path below its base, with the present names of segments. Returns undefined if the path contains no former
 * names.
 */
function withPresentNames(below: string, { kind, dialect }: Surface): string | undefined {
  const former = kind === 'legacy' ? dialect.changes?.formerSegments : undefined;
  if (former === undefined) return undefined;
  const segments = below.split('/');
  if (!segments.some((segment) => Object.hasOwn(former, segment))) return undefined;
  return segments.map((segment) => (Object.hasOwn(former, segment) ? former[segment] : segment)).join('/');
}

function paramsOf({ value, values }: PathMatch<Route>): RouteMatch['params'] {
  const params = value.parameters.map(({ name, read }, index) => {
    const given = values[index] ?? '';
    return [name, read ? read(given) : given];
  });
  return Object.fromEntries(params);
}

/** Returns the `Allow` methods of one path. */
export function allowOf(standing: ReadonlyArray<{ readonly method: string }>): readonly string[] {
  const methods = standing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)].sort();
}

function routeKeyOf({ method, path, surface = 'service' }: AnyOperation): string {
  return `${surface} ${method} ${path.replace(/\{\w+\}/g, '{}')}`;
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

/**
 * Whether both options contain the same objects. This is the usual case, since all services of a process have the
 * same operations.
 */
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
