import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { MachineClock } from '@portolan/foundation/clock';
import type { CacheKey, CacheKeys } from './cache-keys.ts';
import type { ReadTx, Store } from './store.ts';

/** A cache of values by id. A value is valid until a commit touches one of the keys on which it depends. */
export interface Cache<V> {
  /** Returns the cached value, or the result of a load that is in progress, or starts a load. Errors are not cached. */
  get(id: string): Promise<V>;
  /** Returns the cached value, if any, without a promise. This saves the caller turns of the event loop. */
  peek(id: string): V | undefined;
  /** Whether `get` would return a value without waiting for a load. */
  has(id: string): boolean;
  close(): void;
}

export interface CacheOptions<V> {
  readonly store: Store;
  readonly machine: MachineClock;
  /** Returns the cache key of the value with an id. */
  readonly keys: CacheKeys;
  /** Maximum number of values; 10,000 by default. The least recently used value is evicted. */
  readonly limit?: number;
  /**
   * Selects the values to cache; all by default. Clients that look up arbitrary names must not be able to evict values
   * that are in use.
   */
  readonly keep?: (value: V) => boolean;
  /**
   * Loads a value. The value depends on the key of its id, and on all keys that `load` passes to `dependsOn` before it
   * returns.
   */
  load(tx: ReadTx, id: string, dependsOn: DependsOn): Promise<V>;
}

export type DependsOn = (key: CacheKey) => void;

/** For how long a value may stay cached after another instance has changed it. */
const SHARED_AGE_MS = 1000;

interface Entry<V> {
  readonly value: Promise<V>;
  /** The value, once it is loaded. */
  loaded: V | undefined;
  readonly dependencies: Set<CacheKey>;
  /** Monotonic time at which the entry expires. */
  readonly freshUntil: number;
  /** Number of touches that had been committed when the load began. */
  readonly begun: number;
  loading: boolean;
}

export function cache<V>(options: CacheOptions<V>): Cache<V> {
  return new StoreCache(options);
}

class StoreCache<V> implements Cache<V> {
  readonly #options: CacheOptions<V>;
  readonly #age: number;
  readonly #kept: ReturnType<typeof dependentEntries<V>>;
  readonly #touches = touchHistory();
  readonly #stopListening: () => void;

  constructor(options: CacheOptions<V>) {
    const { store, limit = 10_000 } = options;
    this.#options = options;
    this.#age = store.capabilities.shared ? SHARED_AGE_MS : Number.POSITIVE_INFINITY;
    this.#kept = dependentEntries<V>(limit);
    this.#stopListening = store.onTouch((touched) => {
      this.#touches.record(touched);
      for (const key of touched) this.#kept.dropDependents(key);
    });
  }

  get(id: string): Promise<V> {
    const entry = this.#kept.get(id);
    if (entry === undefined || this.#isOutdated(entry)) return this.#begin(id);
    // After a commit has touched keys, a caller must not get a value that was read before this commit.
    if (entry.loading && entry.begun !== this.#touches.count()) return this.#begin(id);
    return entry.value;
  }

  peek(id: string): V | undefined {
    return this.#ready(id)?.loaded;
  }

  has(id: string): boolean {
    return this.#ready(id) !== undefined;
  }

  close(): void {
    this.#stopListening();
    this.#kept.clear();
  }

  /** Returns the entry from which `get` would return a value without waiting for a load. */
  #ready(id: string): Entry<V> | undefined {
    const entry = this.#kept.get(id);
    return entry === undefined || entry.loading || this.#isOutdated(entry) ? undefined : entry;
  }

  #isOutdated({ freshUntil }: Entry<V>): boolean {
    return this.#options.machine.monotonic() >= freshUntil;
  }

  #begin(id: string): Promise<V> {
    const { store, machine, keys, keep = () => true, load } = this.#options;
    const dependencies = new Set([keys(id)]);
    this.#touches.loadBegins();
    const value = store.read((tx) => load(tx, id, (on) => void dependencies.add(on)));
    const entry: Entry<V> = {
      value,
      loaded: undefined,
      dependencies,
      freshUntil: machine.monotonic() + this.#age,
      begun: this.#touches.count(),
      loading: true,
    };
    this.#kept.set(id, entry);
    value.then(
      (loaded) => {
        entry.loaded = loaded;
        this.#end(id, entry, keep(loaded));
      },
      () => this.#end(id, entry, false),
    );
    return value;
  }

  #end(id: string, entry: Entry<V>, worthKeeping: boolean): void {
    // If a commit has touched a key of the value during the load, the load may have read the previous state.
    const current = worthKeeping && !this.#touches.anySince(entry.begun, entry.dependencies);
    this.#touches.loadEnds();
    if (this.#kept.get(id) !== entry) return;
    this.#kept.drop(id);
    if (!current) return;
    entry.loading = false;
    this.#kept.set(id, entry);
  }
}

/** Creates an index of cache entries by the keys on which they depend. */
function dependentEntries<V>(limit: number) {
  const entries = new BoundedCache<string, Entry<V>>({
    entries: limit,
    onEvict: (entry, id) => forget(id, entry),
  });
  const dependents = new Map<CacheKey, Set<string>>();

  function drop(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    forget(id, entry);
  }

  /** Removes an entry from the index. */
  function forget(id: string, { dependencies }: Entry<V>): void {
    for (const on of dependencies) {
      const waiting = dependents.get(on);
      waiting?.delete(id);
      if (waiting?.size === 0) dependents.delete(on);
    }
  }

  return {
    drop,
    get: (id: string) => entries.get(id),
    set(id: string, entry: Entry<V>) {
      drop(id);
      if (!entries.set(id, entry)) return;
      for (const on of entry.dependencies) {
        const waiting = dependents.get(on);
        if (waiting) waiting.add(id);
        else dependents.set(on, new Set([id]));
      }
    },
    dropDependents(on: CacheKey) {
      for (const id of [...(dependents.get(on) ?? [])]) drop(id);
    },
    clear() {
      entries.clear();
      dependents.clear();
    },
  };
}

/** Records the touches that are committed while loads are in progress. */
function touchHistory() {
  const last = new Map<CacheKey, number>();
  let count = 0;
  let loads = 0;
  return {
    count: () => count,
    record(keys: ReadonlySet<CacheKey>) {
      count++;
      if (loads > 0) for (const key of keys) last.set(key, count);
    },
    anySince: (begun: number, keys: ReadonlySet<CacheKey>) =>
      keys.values().some((key) => (last.get(key) ?? 0) > begun),
    loadBegins: () => void loads++,
    loadEnds() {
      if (--loads === 0) last.clear();
    },
  };
}
