declare const made: unique symbol;

/**
 * The key of the cached values that depend on the same data. Only functions that `cacheKeysOf` returns can create keys,
 * so readers and writers cannot spell a key differently.
 */
export type CacheKey = string & { readonly [made]: true };

/** Keys of one kind, by id. */
export type CacheKeys = (id: string) => CacheKey;

/** Declares a kind of cache keys. Its name must be unique. */
export function cacheKeysOf(kind: string): CacheKeys {
  return (id) => `${kind} ${id}` as CacheKey;
}
