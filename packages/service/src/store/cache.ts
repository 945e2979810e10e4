import type { MachineClock } from '@portolan/foundation/clock';
import type { CacheKey, CacheKeys } from './cache-keys.ts';
import type { ReadTx, Store } from './store.ts';

/** A cache of values by id, each valid until a commit touches a key that it depends on. */
export interface Cache<V> {
  /** Returns the cached value, joins the load in progress, or loads. Errors are not cached. */
  get(id: string): Promise<V>;
  /** Returns the cached value synchronously, if any, which saves turns of the event loop. */
  peek(id: string): V | undefined;
  /** Whether `get` would return without a load. */
  has(id: string): boolean;
  close(): void;
}

export interface CacheOptions<V> {
  readonly store: Store;
  readonly machine: MachineClock;
  /** The key of a value's own id. */
  readonly keys: CacheKeys;
  /** Maximum number of values, by default 10,000; the least recently used is evicted. */
  readonly limit?: number;
  /** Which values to cache; by default all. Arbitrary input of outsiders must not evict values in use. */
  readonly keep?: (value: V) => boolean;
  /** The value depends on the key of its id and on the keys passed to `dependsOn` before it returns. */
  load(tx: ReadTx, id: string, dependsOn: DependsOn): Promise<V>;
}

export type DependsOn = (key: CacheKey) => void;

/** Maximum staleness with respect to commits of other instances. */
const SHARED_AGE_MS = 1000;

interface Entry<V> {
  readonly value: Promise<V>;
  /** The value, once loaded. */
  loaded: V | undefined;
  readonly dependencies: Set<CacheKey>;
  /** Monotonic time at which it expires. */
  readonly freshUntil: number;
  /** The number of touches at the start of the load. */
  readonly begun: number;
  loading: boolean;
}

export function cache<V>(options: CacheOptions<V>): Cache<V> {
  const { store, machine, keys, limit = 10_000, keep = () => true, load } = options;
  const age = store.capabilities.shared ? SHARED_AGE_MS : Number.POSITIVE_INFINITY;
  const kept = dependentEntries<V>();
  const touches = touchHistory();

  function begin(id: string): Promise<V> {
    const dependencies = new Set([keys(id)]);
    touches.loadBegins();
    const value = store.read((tx) => load(tx, id, (on) => void dependencies.add(on)));
    const entry: Entry<V> = {
      value,
      loaded: undefined,
      dependencies,
      freshUntil: machine.monotonic() + age,
      begun: touches.count(),
      loading: true,
    };
    kept.set(id, entry);
    value.then(
      (loaded) => {
        entry.loaded = loaded;
        end(id, entry, keep(loaded));
      },
      () => end(id, entry, false),
    );
    kept.shrinkTo(limit);
    return value;
  }

  function end(id: string, entry: Entry<V>, worthKeeping: boolean): void {
    // The load may have read the state before a touch that was committed meanwhile.
    const current = worthKeeping && !touches.anySince(entry.begun, entry.dependencies);
    touches.loadEnds();
    if (kept.get(id) !== entry) return;
    kept.drop(id);
    if (!current) return;
    entry.loading = false;
    kept.set(id, entry);
  }

  const stopListening = store.onTouch((touched) => {
    touches.record(touched);
    for (const key of touched) kept.dropDependents(key);
  });

  /** The entry that `get` would return without a load. */
  function ready(id: string): Entry<V> | undefined {
    const entry = kept.get(id);
    return entry !== undefined && !entry.loading && machine.monotonic() < entry.freshUntil
      ? entry
      : undefined;
  }

  return {
    peek(id) {
      const entry = ready(id);
      if (entry !== undefined) kept.used(id, entry);
      return entry?.loaded;
    },
    has: (id) => ready(id) !== undefined,
    get(id) {
      const entry = kept.get(id);
      if (entry === undefined || machine.monotonic() >= entry.freshUntil) return begin(id);
      // A caller after a touch must not receive a value read before it.
      if (entry.loading && entry.begun !== touches.count()) return begin(id);
      kept.used(id, entry);
      return entry.value;
    },
    close() {
      stopListening();
      kept.shrinkTo(0);
    },
  };
}

/** Entries in order of last use, with an index by key. */
function dependentEntries<V>() {
  const entries = new Map<string, Entry<V>>();
  const dependents = new Map<CacheKey, Set<string>>();

  function drop(id: string): void {
    for (const on of entries.get(id)?.dependencies ?? []) {
      const waiting = dependents.get(on);
      waiting?.delete(id);
      if (waiting?.size === 0) dependents.delete(on);
    }
    entries.delete(id);
  }

  return {
    drop,
    get: (id: string) => entries.get(id),
    set(id: string, entry: Entry<V>) {
      drop(id);
      entries.set(id, entry);
      for (const on of entry.dependencies) {
        const waiting = dependents.get(on);
        if (waiting) waiting.add(id);
        else dependents.set(on, new Set([id]));
      }
    },
    /** A Map iterates in insertion order: the least recently used is first. */
    used(id: string, entry: Entry<V>) {
      entries.delete(id);
      entries.set(id, entry);
    },
    dropDependents(on: CacheKey) {
      for (const id of [...(dependents.get(on) ?? [])]) drop(id);
    },
    shrinkTo(limit: number) {
      for (const id of entries.keys()) {
        if (entries.size <= limit) return;
        drop(id);
      }
    },
  };
}

/** The history of touches, recorded only during loads. */
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
