import { BoundedCache } from '@portolan/foundation/bounded-cache';
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
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const candidate = this.#sorted[middle] as string;
      const order = this.#collate(text, candidate);
      if (order === 0) return candidate;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    keep(text.length * 2 + OVERHEAD, 'a collation');
    this.#sorted.splice(low, 0, text);
    return text;
  };
}
