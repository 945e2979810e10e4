/** A cache of at most `limit` entries, cleared when it is full. */
export class BoundedCache<K, V> {
  readonly #limit: number;
  readonly #values = new Map<K, { readonly value: V }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known.value;
    const value = make();
    if (this.#values.size >= this.#limit) this.#values.clear();
    this.#values.set(key, { value });
    return value;
  }
}
