import type { Scope } from '../../access/index.ts';
import type { MachineClock } from '../../runtime/clock.ts';
import { cache, type Store } from '../../store/index.ts';
import type { PathParameter } from '../operation.ts';
import type { Route } from '../routes/route.ts';

/** The project or organization of a path; nothing where the path names none. Throws the 404 of its kind. */
export type ScopeFinder = (
  route: Route,
  params: Readonly<Record<string, string>>,
) => Promise<Scope | undefined>;

/** What a transaction touches when a project or an organization goes, so that it is not found any more. */
export function scopeKey(scope: Pick<Scope, 'kind' | 'id'>): string {
  return `${scope.kind}:${scope.id}`;
}

/** Looks scopes up in the store once, and keeps them until their key is touched. */
export function scopeFinder(
  store: Store,
  machine: MachineClock,
  parameters: Readonly<Record<string, PathParameter>>,
): ScopeFinder & { close(): void } {
  const found = cache<Scope>({
    store,
    machine,
    async load(tx, key, dependsOn) {
      const name = key.slice(0, key.indexOf(' '));
      const value = key.slice(name.length + 1);
      const rule = parameters[name]?.scope;
      const scope = await rule?.load(tx, value);
      // Thrown rather than kept: what is not there can come.
      if (!rule || !scope)
        throw rule?.missing(value) ?? new TypeError(`The parameter ${name} names no scope`);
      dependsOn(scopeKey(scope));
      return scope;
    },
  });
  const find: ScopeFinder = async ({ scopeParameter }, params) =>
    scopeParameter && found.get(`${scopeParameter.name} ${params[scopeParameter.name]}`);
  return Object.assign(find, { close: () => found.close() });
}
