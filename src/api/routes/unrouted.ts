import type { Mount } from '../mounts.ts';
import { pathMatcher } from './path-template.ts';
import type { Route } from './route.ts';
import { basePaths, existsIn, type Surface } from './surface.ts';

/** What is known of a path that no served operation took. */
interface Unrouted {
  /** An operation that is to come. */
  readonly route?: Route;
  readonly params?: Readonly<Record<string, string>>;
  /** Methods that the path has; empty: there is no such path. */
  readonly allow: readonly string[];
  /** Whether it is that of a custom method (`…/{clusterName}:restart`), which the path before the colon has too. */
  readonly custom: boolean;
}

/** A path and what answers there. */
interface Entry {
  readonly route: Route | undefined;
  readonly methods: readonly string[];
  readonly custom: boolean;
  readonly match: (path: string) => Record<string, string> | undefined;
}

export type UnroutedFinder = (method: string, path: string, surface: Surface | undefined) => Unrouted;

/**
 * Looks for paths among all operations, those to come included. The matchers are made when the first such request
 * comes: they serve errors, and the router does not get slower to start with each operation that is only planned.
 */
export function unroutedFinder(routes: readonly Route[], mounts: readonly Mount[]): UnroutedFinder {
  let entries: readonly Entry[] | undefined;
  return (method, path, surface) => {
    entries ??= [...routes.map(entryOfRoute), ...mounts.map(entryOfMount)];
    const base = surface === undefined ? '' : basePaths[surface];
    const below = path.slice(base.length).replace(/\/$/, '');
    const fitting = entries
      .filter(({ route }) =>
        surface && route ? existsIn(route.operation, surface) : surface === undefined && !route,
      )
      .map((entry) => ({ ...entry, params: entry.match(below) }))
      .filter(({ params }) => params !== undefined);
    // No name may hold a colon and what follows it: where a custom method is meant, nothing else is.
    const custom = fitting.some((entry) => entry.custom);
    const found = custom ? fitting.filter((entry) => entry.custom) : fitting;
    const allow = [...new Set(found.flatMap(({ methods }) => methods))].sort();
    const { route, params } = found.find(({ methods }) => methods.includes(method)) ?? {};
    return route && params ? { route, params, allow, custom } : { allow, custom };
  };
}

function entryOfRoute(route: Route): Entry {
  const { path, method } = route.operation;
  const match = pathMatcher(path === '/' ? '' : path);
  return { route, methods: methodsOf(method), custom: path.includes(':'), match };
}

function entryOfMount({ path, method }: Mount): Entry {
  return { route: undefined, methods: methodsOf(method), custom: false, match: pathMatcher(path) };
}

/** HEAD answers wherever GET does (contract 4.1). */
function methodsOf(method: string): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
