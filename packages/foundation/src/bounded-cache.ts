interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly weight: number;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

/**
 * Maximum length of a key that is a text, in characters. Without a limit, a cache of 4,096 texts from requests could
 * keep gigabytes.
 */
const LONGEST_KEY = 1_024;

interface CacheLimits<K, V> {
  /** Maximum number of entries. */
  readonly entries?: number;
  /** Maximum sum of `weigh` over all entries. */
  readonly weight?: number;
  readonly weigh?: (value: V, key: K) => number;
  /** Maximum length of a key that is a text; 1,024 characters by default. Entries with longer keys are not kept. */
  readonly longestKey?: number;
  /**
   * Called after the limits have evicted an entry. Not called after `delete`, after `clear`, or for an entry that `set`
   * rejects. The caller of `set` still uses the value of a rejected entry.
   */
  readonly onEvict?: (value: V, key: K) => void;
}

/** A cache that evicts the least recently used entries. Reads and writes count as uses. */
export class BoundedCache<K, V> {
  readonly #map = new Map<K, Entry<K, V>>();
  readonly #entries: number;
  readonly #weight: number;
  readonly #weigh: (value: V, key: K) => number;
  readonly #longestKey: number;
  readonly #onEvict: ((value: V, key: K) => void) | undefined;
  // The entries form a linked list, because removing an entry from a Map and adding it again on each read is several
  // times slower.
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;
  #total = 0;

  constructor({ entries, weight, weigh, longestKey, onEvict }: CacheLimits<K, V>) {
    this.#entries = entries ?? Number.POSITIVE_INFINITY;
    this.#weight = weight ?? Number.POSITIVE_INFINITY;
    this.#weigh = weigh ?? (() => 0);
    this.#longestKey = longestKey ?? LONGEST_KEY;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#map.size;
  }

  /** Yields all values, the least recently used first. */
  *values(): Generator<V> {
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) yield entry.value;
  }

  get(key: K): V | undefined {
    const entry = this.#map.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.value;
  }

  /**
   * Returns the value of a key. If the key is not cached, calls `make` and caches the result, unless it exceeds a
   * limit. Does not cache errors of `make`.
   */
  of(key: K, make: (key: K) => V): V {
    const entry = this.#map.get(key);
    if (entry === undefined) {
      const value = make(key);
      this.set(key, value);
      return value;
    }
    this.#use(entry);
    return entry.value;
  }

  /** Returns false if the entry is not kept, because it alone exceeds a limit. Such an entry evicts no others. */
  set(key: K, value: V): boolean {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (this.#entries < 1 || weight > this.#weight) return false;
    if (typeof key === 'string' && key.length > this.#longestKey) return false;
    const entry: Entry<K, V> = { key, value, weight, older: undefined, newer: undefined };
    this.#map.set(key, entry);
    this.#total += weight;
    this.#append(entry);
    while (this.#map.size > this.#entries || this.#total > this.#weight) {
      const evicted = this.#oldest as Entry<K, V>;
      this.#remove(evicted);
      this.#onEvict?.(evicted.value, evicted.key);
    }
    return true;
  }

  delete(key: K): void {
    const entry = this.#map.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  clear(): void {
    this.#map.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#total = 0;
  }

  #use(entry: Entry<K, V>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#append(entry);
  }

  #remove(entry: Entry<K, V>): void {
    this.#map.delete(entry.key);
    this.#total -= entry.weight;
    this.#unlink(entry);
  }

  #append(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: Entry<K, V>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
