/**
 * Ids below this limit are in a bitmap, of at most 8 MB. Few ids are larger, unless the collection has had very many
 * inserts.
 */
const MAX_BITS = 2 ** 26;
/** Initial size of the bitmap, in bytes. */
const FIRST_BYTES = 1_024;

/** A set of row ids: a bitmap for ids below a limit, and a hash set for larger ones. */
export class RowSet {
  #bits = new Uint8Array(FIRST_BYTES);
  readonly #others = new Set<number>();
  #marked = 0;

  get size(): number {
    return this.#marked + this.#others.size;
  }

  /** Adds ids that are joined by commas. Returns the last one. */
  addAll(ids: string): number {
    let id = 0;
    for (let at = 0; at < ids.length; at++) {
      const code = ids.charCodeAt(at);
      if (code === COMMA) {
        this.#add(id);
        id = 0;
      } else id = id * 10 + code - ZERO;
    }
    this.#add(id);
    return id;
  }

  #add(id: number): void {
    if (id >= MAX_BITS) {
      this.#others.add(id);
      return;
    }
    const place = id >>> 3;
    if (place >= this.#bits.length) this.#grow(place);
    const bit = 1 << (id & 7);
    const byte = this.#bits[place] as number;
    if ((byte & bit) !== 0) return;
    this.#bits[place] = byte | bit;
    this.#marked++;
  }

  #grow(place: number): void {
    const grown = new Uint8Array(Math.max(this.#bits.length * 2, place + 1));
    grown.set(this.#bits);
    this.#bits = grown;
  }
}

const COMMA = 44;
const ZERO = 48;
