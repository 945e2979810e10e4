/** Keeps what was decoded of a file, the least recently used going first when it is more than so many bytes. */
export class ByteCache {
  readonly #most: number;
  readonly #kept = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T {
    const found = this.#kept.get(key);
    if (found !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
      return found.value as T;
    }
    const made = make();
    this.#kept.set(key, made);
    this.#bytes += made.bytes;
    for (const [name, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most || name === key) break;
      this.#kept.delete(name);
      this.#bytes -= bytes;
    }
    return made.value;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  get bytes(): number {
    return this.#bytes;
  }
}
