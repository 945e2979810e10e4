declare const made: unique symbol;

/**
 * What cached values depend on. Only the functions that `cacheKeysOf` answers make one, so that whoever keeps a value
 * and whoever drops it cannot spell it differently.
 */
export type CacheKey = string & { readonly [made]: true };

/** The keys of one kind of thing, by the id of the thing. */
export type CacheKeys = (id: string) => CacheKey;

/** Declares a kind of thing that cached values depend on; no other kind has its name. */
export function cacheKeysOf(kind: string): CacheKeys {
  return (id) => `${kind} ${id}` as CacheKey;
}
