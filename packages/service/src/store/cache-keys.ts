declare const made: unique symbol;

/**
 * The key of cached values that depend on the same data. Only functions from `cacheKeysOf` create keys, so that readers
 * and writers always spell a key the same.
 */
export type CacheKey = string & { readonly [made]: true };

/** Keys of one kind, by id. */
export type CacheKeys = (id: string) => CacheKey;

/** Declares a kind of cache keys. Its name must be unique. */
export function cacheKeysOf(kind: string): CacheKeys {
  return (id) => `${kind} ${id}` as CacheKey;
}
