import type { CacheKey } from './cache-keys.ts';

/** Notifies the caches and workers of this process when a commit has touched keys. */
export interface Touches {
  announce(keys: ReadonlySet<CacheKey>): void;
  listen(listener: (keys: ReadonlySet<CacheKey>) => void): () => void;
}

export function touches(): Touches {
  const listeners = new Set<(keys: ReadonlySet<CacheKey>) => void>();
  return {
    announce(keys) {
      if (keys.size === 0) return;
      for (const listener of listeners) listener(keys);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
