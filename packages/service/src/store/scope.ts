import { type CacheKey, type CacheKeys, cacheKeysOf } from './cache-keys.ts';
import type { Tx } from './store.ts';

/** The kinds of owners of lists, roles and cached values: organizations and projects. */
export type ScopeKind = 'org' | 'group';

export interface ScopeRef {
  readonly kind: ScopeKind;
  readonly id: string;
}

const keys: Readonly<Record<ScopeKind, CacheKeys>> = { org: cacheKeysOf('org'), group: cacheKeysOf('group') };

/**
 * Returns the key of the values that depend on whether an organization or project exists, and on which organization
 * owns the project.
 */
export function scopeKey(scope: ScopeRef): CacheKey {
  return keys[scope.kind](scope.id);
}

/** Invalidates cached values of the organization or project when the transaction commits. */
export function touchScope(tx: Tx, scope: ScopeRef): void {
  tx.touch(scopeKey(scope));
}
