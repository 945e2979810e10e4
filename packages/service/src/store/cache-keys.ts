declare const made: unique symbol;

/**
 * A key on which cached values depend. Only functions returned by `cacheKeysOf` create keys, so that readers
 * and writers cannot spell one differently.
 */
export type CacheKey = string & { readonly [made]: true };

/** Keys of one kind, by id. */
export type CacheKeys = (id: string) => CacheKey;

/** Declares a kind of cache key, with a unique name. */
export function cacheKeysOf(kind: string): CacheKeys {
  return (id) => `${kind} ${id}` as CacheKey;
}
