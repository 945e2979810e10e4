import type { Statement } from '../../statement/statement.ts';

/** Number of ids in a page, and the size of its bitmap in bytes. */
const PAGE_IDS = 4_096;
const PAGE_BYTES = PAGE_IDS / 8;
/** Estimated memory of a page, in addition to its bitmap. */
const PAGE_OVERHEAD = 128;

/** A set of row ids: a bitmap for each page of ids. A statement counts its memory. */
export class RowSet {
  readonly #statement: Pick<Statement, 'hold'>;
  readonly #pages = new Map<number, Uint8Array>();
  #lastPlace = -1;
  #last: Uint8Array = new Uint8Array(0);
  #size = 0;

  constructor(statement: Pick<Statement, 'hold'>) {
    this.#statement = statement;
  }

  get size(): number {
    return this.#size;
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
      this.#statement.hold(PAGE_BYTES + PAGE_OVERHEAD, 'count');
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
