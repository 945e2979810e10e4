export { type Cache, type CacheOptions, cache, type DependsOn } from './cache.ts';
export { type CacheKey, type CacheKeys, cacheKeysOf } from './cache-keys.ts';
export { type Codec, codec } from './codec.ts';
export { addCount, type Counter, counter, countOf, countsOf, dropCounts } from './counters.ts';
export { type DataDirectory, openDataDirectory, ownerOf } from './data-directory.ts';
export { StoreError, type StoreErrorKind, UniqueViolation } from './errors.ts';
export { type DatabaseLocation, openStore, type StoreOptions } from './open.ts';
export { fetchPage, type Page, type PageRange, type PageRequest, type PageRows, pageOf } from './page.ts';
export { type Prepared, prepared } from './prepared.ts';
export { type ScopeKind, type ScopeRef, scopeKey, touchScope } from './scope.ts';
export { checkFingerprint, settings } from './settings.ts';
export {
  type Migration,
  type MigrationSchema,
  type ReadTx,
  type Store,
  type StoreCapabilities,
  subscribe,
  type Topic,
  type TopicHandler,
  type Tx,
} from './store.ts';
export { type StoredClock, storedClock } from './stored-clock.ts';
