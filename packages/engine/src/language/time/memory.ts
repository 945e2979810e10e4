/** Remembers what was worked out, for no more than so many keys: then it begins anew. */
export class Memory<K, V> {
  readonly #most: number;
  readonly #values = new Map<K, { readonly value: V }>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known.value;
    const value = make();
    if (this.#values.size >= this.#most) this.#values.clear();
    this.#values.set(key, { value });
    return value;
  }
}
