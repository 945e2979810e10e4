import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { Exchange } from '../exchange.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import type { TextPieces } from './text-pieces.ts';

/** Maximum number of cached characters: some 3,000 responses with one cluster each. */
const MAX_KEPT = 8_000_000;

/** Maximum length of one response, so that a few long lists do not evict everything else. */
const MAX_TEXT = MAX_KEPT / 8;

/**
 * Responses from this length on are cached as bytes. Otherwise, each response would have to be encoded, which takes a
 * third as long as sending it (measured with 230 KB).
 */
export const LARGE_TEXT = 16_384;

interface Kept {
  readonly text: string | Buffer;
  readonly unchanged: () => boolean;
}

interface Made {
  readonly text: string | TextPieces;
  readonly unchanged: () => boolean;
}

/**
 * Caches responses that do not depend on the caller (`Operation.sameForAll`). An entry is valid until a table from
 * which it was read changes. Each request is authorized before the lookup.
 */
export class ResponseCache {
  readonly #kept = new BoundedCache<string, Kept>({ weight: MAX_KEPT, weigh: ({ text }) => text.length });

  /** Returns a cached response; undefined on a miss. */
  get(served: OperationVersion, exchange: Exchange): string | Buffer | undefined {
    if (served.operation.sameForAll !== true) return undefined;
    const key = keyOf(served, exchange);
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.unchanged()) return kept?.text;
    this.#kept.delete(key);
    return undefined;
  }

  set(served: OperationVersion, exchange: Exchange, made: Made): void {
    if (made.text.length > MAX_TEXT) return;
    this.#kept.set(keyOf(served, exchange), { ...made, text: keptText(made.text) });
  }
}

function keptText(text: Made['text']): Kept['text'] {
  if (typeof text !== 'string') return text.bytes();
  return text.length < LARGE_TEXT ? text : Buffer.from(text);
}

/**
 * Returns a key of everything that determines the response, except for the rows in the store. The target contains the
 * base path, parameters, paging and format. Other headers than those of the flags have no effect on such responses.
 */
function keyOf({ operation, version }: OperationVersion, { flags, origin, target }: Exchange): string {
  return `${operation.id} ${version} ${origin} ${target} ${flags.join()}`;
}
