import { type CacheKey, type CacheKeys, cacheKeysOf } from './cache-keys.ts';
import type { Tx } from './store.ts';

/** What lists, roles and cached values belong to: an organization or a project. */
export type ScopeKind = 'org' | 'group';

export interface ScopeRef {
  readonly kind: ScopeKind;
  readonly id: string;
}

const keys: Readonly<Record<ScopeKind, CacheKeys>> = { org: cacheKeysOf('org'), group: cacheKeysOf('group') };

/** What depends on whether an organization or a project is there, and on who owns it. */
export function scopeKey(scope: ScopeRef): CacheKey {
  return keys[scope.kind](scope.id);
}

/** Whoever keeps the organization or the project looks it up anew once the transaction is committed. */
export function touchScope(tx: Tx, scope: ScopeRef): void {
  tx.touch(scopeKey(scope));
}
