import type { MachineClock } from '../runtime/clock.ts';
import type { ReadTx, Store } from './store.ts';

/** Values by key, loaded once and kept until a commit touches a key they depend on. */
export interface Cache<V> {
  /** The kept value, or the one that is being loaded, or a new one. A load that throws is not kept. */
  get(key: string): Promise<V>;
  /** Whether `get` would answer without a load. */
  has(key: string): boolean;
  close(): void;
}

export interface CacheOptions<V> {
  readonly store: Store;
  readonly machine: MachineClock;
  /** Values kept at most; the one not used for longest goes first. 10,000 by default. */
  readonly limit?: number;
  /** Which values are worth keeping; all by default. What strangers make up must not push out what is used. */
  readonly keep?: (value: V) => boolean;
  /** The value of `key` depends on `key` itself and on whatever is given to `dependsOn` before it is answered. */
  load(tx: ReadTx, key: string, dependsOn: (key: string) => void): Promise<V>;
}

/** How long another instance's commit may stay unseen (DESIGN "Store"). */
const SHARED_AGE_MS = 1000;

interface Entry<V> {
  readonly value: Promise<V>;
  readonly dependencies: Set<string>;
  /** Monotonic time from which on it is too old to be answered. */
  readonly freshUntil: number;
  /** The number of touches when the load began. */
  readonly begun: number;
  loading: boolean;
}

export function cache<V>(options: CacheOptions<V>): Cache<V> {
  const { store, machine, limit = 10_000, keep = () => true, load } = options;
  const age = store.capabilities.shared ? SHARED_AGE_MS : Number.POSITIVE_INFINITY;
  const kept = dependentEntries<V>();
  const touches = touchHistory();

  function begin(key: string): Promise<V> {
    const dependencies = new Set([key]);
    touches.loadBegins();
    const value = store.read((tx) => load(tx, key, (on) => void dependencies.add(on)));
    const entry: Entry<V> = {
      value,
      dependencies,
      freshUntil: machine.monotonic() + age,
      begun: touches.count(),
      loading: true,
    };
    kept.set(key, entry);
    value.then(
      (loaded) => end(key, entry, keep(loaded)),
      () => end(key, entry, false),
    );
    kept.shrinkTo(limit);
    return value;
  }

  function end(key: string, entry: Entry<V>, worthKeeping: boolean): void {
    // It may have read from before a touch that was committed while it ran.
    const current = worthKeeping && !touches.anySince(entry.begun, entry.dependencies);
    touches.loadEnds();
    if (kept.get(key) !== entry) return;
    kept.drop(key);
    if (!current) return;
    entry.loading = false;
    kept.set(key, entry);
  }

  const stopListening = store.onTouch((keys) => {
    touches.record(keys);
    for (const key of keys) kept.dropDependents(key);
  });

  return {
    has(key) {
      const entry = kept.get(key);
      return entry !== undefined && !entry.loading && machine.monotonic() < entry.freshUntil;
    },
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined || machine.monotonic() >= entry.freshUntil) return begin(key);
      // Who asks after a touch must not get what was read before it.
      if (entry.loading && entry.begun !== touches.count()) return begin(key);
      kept.used(key, entry);
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
  const dependents = new Map<string, Set<string>>();

  function drop(key: string): void {
    for (const on of entries.get(key)?.dependencies ?? []) {
      const waiting = dependents.get(on);
      waiting?.delete(key);
      if (waiting?.size === 0) dependents.delete(on);
    }
    entries.delete(key);
  }

  return {
    drop,
    get: (key: string) => entries.get(key),
    set(key: string, entry: Entry<V>) {
      drop(key);
      entries.set(key, entry);
      for (const on of entry.dependencies) {
        const waiting = dependents.get(on);
        if (waiting) waiting.add(key);
        else dependents.set(on, new Set([key]));
      }
    },
    /** A Map keeps the order of insertion: the least recently used stands first. */
    used(key: string, entry: Entry<V>) {
      entries.delete(key);
      entries.set(key, entry);
    },
    dropDependents(on: string) {
      for (const key of [...(dependents.get(on) ?? [])]) drop(key);
    },
    shrinkTo(limit: number) {
      for (const key of entries.keys()) {
        if (entries.size <= limit) return;
        drop(key);
      }
    },
  };
}

/** Which keys were touched when, remembered only while loads are under way. */
function touchHistory() {
  const last = new Map<string, number>();
  let count = 0;
  let loads = 0;
  return {
    count: () => count,
    record(keys: ReadonlySet<string>) {
      count++;
      if (loads > 0) for (const key of keys) last.set(key, count);
    },
    anySince: (begun: number, keys: ReadonlySet<string>) =>
      keys.values().some((key) => (last.get(key) ?? 0) > begun),
    loadBegins: () => void loads++,
    loadEnds() {
      if (--loads === 0) last.clear();
    },
  };
}
