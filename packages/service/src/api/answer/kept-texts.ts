import type { Exchange } from '../exchange.ts';
import type { Served } from '../routes/served.ts';

/** Characters that are kept at most: some 3,000 documents of one cluster. */
const MAX_KEPT = 8_000_000;

/** Of one answer, so that a few long lists do not push out everything else. */
const MAX_TEXT = MAX_KEPT / 8;

/** From here on a text is kept as bytes: for 230 KB a third of what sending takes goes into making them. */
export const LARGE_TEXT = 16_384;

interface Kept {
  readonly text: string | Buffer;
  readonly unchanged: () => boolean;
}

/**
 * Texts of answers that are the same for whoever may see them (`Operation.sameForAll`), each until a table changes that
 * it was read from. Whether a caller may see one is decided for each request anew, before anything is looked up here.
 */
export class KeptTexts {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /** Nothing where it has to be made. */
  find(served: Served, exchange: Exchange): string | Buffer | undefined {
    if (served.operation.sameForAll !== true) return undefined;
    const key = keyOf(served, exchange);
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.unchanged()) return kept?.text;
    this.#drop(key, kept);
    return undefined;
  }

  keep(served: Served, exchange: Exchange, made: { text: string; unchanged: () => boolean }): void {
    if (made.text.length > MAX_TEXT) return;
    const kept = { ...made, text: made.text.length < LARGE_TEXT ? made.text : Buffer.from(made.text) };
    const key = keyOf(served, exchange);
    const former = this.#kept.get(key);
    if (former !== undefined) this.#drop(key, former);
    this.#kept.set(key, kept);
    this.#size += kept.text.length;
    for (const [oldest, one] of this.#kept) {
      if (this.#size <= MAX_KEPT) return;
      this.#drop(oldest, one);
    }
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#size -= kept.text.length;
  }
}

/** All that the text depends on besides stored rows: the target holds base path, parameters, paging, form and envelope. */
function keyOf({ operation, version }: Served, { origin, target }: Exchange): string {
  return `${operation.id} ${version} ${origin} ${target}`;
}
