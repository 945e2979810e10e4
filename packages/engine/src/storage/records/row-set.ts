/** Number of ids in a page, and the size of its bitmap in bytes. */
const PAGE_IDS = 4_096;
const PAGE_BYTES = PAGE_IDS / 8;
/** Estimated memory of a page, in addition to its bitmap. */
const PAGE_OVERHEAD = 128;

/**
 * A set of row ids: a bitmap for each page of ids. A hash set would take up to 50 bytes per id, and would not work
 * without a pause while it grows.
 */
export class RowSet {
  readonly #count: (bytes: number) => void;
  readonly #pages = new Map<number, Uint8Array>();
  #lastPlace = -1;
  #last: Uint8Array = new Uint8Array(0);
  #size = 0;

  /** `count` counts bytes that the set takes. It throws if they are too many. */
  constructor(count: (bytes: number) => void) {
    this.#count = count;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an id. Returns false if the set already has it. */
  add(id: number): boolean {
    const before = this.#size;
    this.#add(id);
    return this.#size > before;
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
    const page = this.#pageOf(Math.floor(id / PAGE_IDS));
    const place = (id % PAGE_IDS) >>> 3;
    const bit = 1 << (id & 7);
    const byte = page[place] as number;
    if ((byte & bit) !== 0) return;
    page[place] = byte | bit;
    this.#size++;
  }

  #pageOf(place: number): Uint8Array {
    if (place === this.#lastPlace) return this.#last;
    let page = this.#pages.get(place);
    if (page === undefined) {
      this.#count(PAGE_BYTES + PAGE_OVERHEAD);
      page = new Uint8Array(PAGE_BYTES);
      this.#pages.set(place, page);
    }
    this.#lastPlace = place;
    this.#last = page;
    return page;
  }
}

const COMMA = 44;
const ZERO = 48;
