import type { MachineClock } from '@portolan/foundation/clock';
import type { Scope } from '../../access/index.ts';
import {
  type Cache,
  type CacheOptions,
  cache,
  cacheKeysOf,
  type Store,
  scopeKey,
} from '../../store/index.ts';
import type { PathParameter } from '../operation.ts';
import type { Route } from '../routes/route.ts';

/**
 * Finds the project or organization of a path. Returns undefined if the path names none. Throws 404 with the error
 * code of a missing project or organization.
 */
export interface ScopeFinder {
  (route: Route, params: Readonly<Record<string, string>>): Promise<Scope | undefined>;
  /** Looks the project or organization up again, without the cache. */
  confirm(route: Route, params: Readonly<Record<string, string>>): Promise<void>;
}

/** Finds scopes, and caches them until a commit changes them. */
export function scopeFinder(
  store: Store,
  machine: MachineClock,
  parameters: Readonly<Record<string, PathParameter>>,
): ScopeFinder & { close(): void } {
  const caches = new Map<string, Cache<Scope>>();
  for (const [name, { scope }] of Object.entries(parameters)) {
    if (scope === undefined) continue;
    const keys = cacheKeysOf(`path ${name}`);
    const load: CacheOptions<Scope>['load'] = async (tx, value, dependsOn) => {
      const found = await scope.load(tx, value);
      // Throw instead of returning undefined, so that nothing is cached: the scope may be created later.
      if (!found) throw scope.missing(value);
      dependsOn(scopeKey(found));
      return found;
    };
    caches.set(name, cache({ store, machine, keys, load }));
  }
  const find = async ({ scopeParameter }: Route, params: Readonly<Record<string, string>>) => {
    const known = scopeParameter && caches.get(scopeParameter.name);
    const id = params[scopeParameter?.name ?? ''] ?? '';
    return known?.peek(id) ?? (await known?.get(id));
  };
  return Object.assign(find, {
    async confirm({ scopeParameter }: Route, params: Readonly<Record<string, string>>) {
      const { scope } = parameters[scopeParameter?.name ?? ''] ?? {};
      const value = params[scopeParameter?.name ?? ''] ?? '';
      if (scope && !(await store.read((tx) => scope.load(tx, value)))) throw scope.missing(value);
    },
    close() {
      for (const each of caches.values()) each.close();
    },
  });
}
