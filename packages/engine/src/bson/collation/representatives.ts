/** The order of two texts: negative, 0 or positive. */
export type Collate = (a: string, b: string) => number;

/** Texts whose place was looked up are remembered up to this number. */
const REMEMBERED = 65_536;

/**
 * Of all texts that a collation holds for equal, the one that came first. There are no sort keys to be had, so
 * texts are found by bisection in the order of the collation.
 */
export class Representatives {
  readonly #collate: Collate;
  /** In order, no two of them equal. */
  readonly #sorted: string[] = [];
  readonly #known = new Map<string, string>();

  constructor(collate: Collate) {
    this.#collate = collate;
  }

  of(text: string): string {
    let found = this.#known.get(text);
    if (found === undefined) {
      found = this.#find(text);
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      this.#known.set(text, found);
    }
    return found;
  }

  #find(text: string): string {
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
    this.#sorted.splice(low, 0, text);
    return text;
  }
}
