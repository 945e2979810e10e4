declare const made: unique symbol;

/**
 * The key of all cached values that depend on the same data. Keys can be created only by functions that `cacheKeysOf`
 * returns, so that readers and writers always use the same spelling.
 */
export type CacheKey = string & { readonly [made]: true };

/** Keys of one kind, by id. */
export type CacheKeys = (id: string) => CacheKey;

/** Declares a kind of cache keys. Its name must be unique. */
export function cacheKeysOf(kind: string): CacheKeys {
  return (id) => `${kind} ${id}` as CacheKey;
}
