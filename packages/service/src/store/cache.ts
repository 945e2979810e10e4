import type { MachineClock } from '@portolan/foundation/clock';
import type { CacheKey, CacheKeys } from './cache-keys.ts';
import type { ReadTx, Store } from './store.ts';

/** Values by id, loaded once and kept until a commit touches a key they depend on. */
export interface Cache<V> {
  /** The kept value, or the one that is being loaded, or a new one. A load that throws is not kept. */
  get(id: string): Promise<V>;
  /** The value that `get` would answer without a load, at once: every wait costs a request some turns of its queue. */
  peek(id: string): V | undefined;
  /** Whether `get` would answer without a load. */
  has(id: string): boolean;
  close(): void;
}

export interface CacheOptions<V> {
  readonly store: Store;
  readonly machine: MachineClock;
  /** What a value depends on by its id alone. */
  readonly keys: CacheKeys;
  /** Values kept at most; the one not used for longest goes first. 10,000 by default. */
  readonly limit?: number;
  /** Which values are worth keeping; all by default. What strangers make up must not push out what is used. */
  readonly keep?: (value: V) => boolean;
  /** The value depends on the key of its id and on whatever is given to `dependsOn` before it is answered. */
  load(tx: ReadTx, id: string, dependsOn: DependsOn): Promise<V>;
}

export type DependsOn = (key: CacheKey) => void;

/** How long another instance's commit may stay unseen (DESIGN "Store"). */
const SHARED_AGE_MS = 1000;

interface Entry<V> {
  readonly value: Promise<V>;
  /** The value, once it is loaded. */
  loaded: V | undefined;
  readonly dependencies: Set<CacheKey>;
  /** Monotonic time from which on it is too old to be answered. */
  readonly freshUntil: number;
  /** The number of touches when the load began. */
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
    // It may have read from before a touch that was committed while it ran.
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

  /** What `get` would answer without a load. */
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
      // Who asks after a touch must not get what was read before it.
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

/** Entries in the order of their last use, and which of them depend on a key. */
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
    /** A Map keeps the order of insertion: the least recently used stands first. */
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

/** Which keys were touched when, remembered only while loads are under way. */
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
