import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { firstIndex } from '@portolan/foundation/first-index';
import { keep } from '../turns.ts';

/** Compares two texts. Returns a negative number, 0 or a positive number. */
export type Collate = (a: string, b: string) => number;

/** Estimated memory of a representative, in addition to its characters. */
const OVERHEAD = 64;
/** Maximum number of texts whose representatives are cached. */
const REMEMBERED = 65_536;

/**
 * Maps each text to the first text that is equal under the collation. `Intl` has no sort keys, so the texts
 * are kept in collation order and found by binary search.
 */
export class Representatives {
  readonly #collate: Collate;
  /** The representatives, sorted and pairwise different. */
  readonly #sorted: string[] = [];
  readonly #known = new BoundedCache<string, string>({ entries: REMEMBERED });

  constructor(collate: Collate) {
    this.#collate = collate;
  }

  of(text: string): string {
    return this.#known.of(text, this.#find);
  }

  readonly #find = (text: string): string => {
    const place = firstIndex(this.#sorted, (candidate) => this.#collate(text, candidate) <= 0);
    const candidate = this.#sorted[place];
    if (candidate !== undefined && this.#collate(text, candidate) === 0) return candidate;
    keep(text.length * 2 + OVERHEAD, 'a collation');
    this.#sorted.splice(place, 0, text);
    return text;
  };
}
