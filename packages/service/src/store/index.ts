export { type Cache, type CacheOptions, cache, type DependsOn } from './cache.ts';
export { type CacheKey, cacheKeysOf } from './cache-keys.ts';
export { codec } from './codec.ts';
export { addCount, type Counter, counter, countOf, countsOf, dropCounts } from './counters.ts';
export { openDataDirectory, ownerOf, refuseForeignDatabase, refuseLostDatabase } from './data-directory.ts';
export { BATCH, deleteInBatches } from './delete-in-batches.ts';
export { StoreError, storeProblem as troubleOfStore } from './errors.ts';
export { type DatabaseLocation, openStore } from './open.ts';
export { fetchPage, type Page, type PageRange, type PageRequest, type PageRows, pageOf } from './page.ts';
export { inspectPostgres as lookAtPostgres } from './postgres/inspect.ts';
export { hostsOf } from './postgres/location.ts';
export { prepared, preparedInsert } from './prepared.ts';
export { scopeKey, touchScope } from './scope.ts';
export { checkFingerprint, settings } from './settings.ts';
export { compareDatabases } from './sqlite/compare.ts';
export { faultOfDatabase } from './sqlite/faults.ts';
export {
  type Migration,
  type MigrationSchema,
  type ReadTx,
  type Store,
  subscribe,
  type Topic,
  type TopicHandler,
  type Tx,
} from './store.ts';
export { type StoredClock, storedClock } from './stored-clock.ts';
