import { step, steps } from './turns.ts';

export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Maximum number of consecutive combining marks that are sorted, as in the stream-safe text format of UAX #15. A limit
 * is needed, because sorting the marks takes quadratic time.
 */
export const MAX_MARKS = 30;

const MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS}}`, 'gu');

const TOO_MANY_MARKS = new RegExp(`${MANY_MARKS.source}(?=\\p{M})`, 'gu');
/**
 * A character that collations ignore (COMBINING GRAPHEME JOINER). Combining marks before and after it are sorted
 * separately.
 */
const JOINER = '\u034f';

/**
 * Returns a text that is equal to the given text under all collations, and that `Intl.Collator` compares in linear
 * time.
 */
export function streamSafe(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(TOO_MANY_MARKS, `$&${JOINER}`);
}

/** Number of characters that are decomposed without an interruption check. */
const PIECE = 16_384;
/** Binary logarithm of the number of characters that are decomposed in the time of one step. */
const STEP_SHIFT = 4;
/** A character before which a text can be divided, because its decomposition does not affect the one of the text before. */
const BOUNDARY = /[^\p{M}\uff9e\uff9f]/u;

/** Converts a text to a normal form, in linear time. Decomposes long texts in turns. */
export function normalized(text: string, form: NormalForm): string {
  if (form === 'NFC' || form === 'NFKC' || text.length <= PIECE) return normalizedAtOnce(text, form);
  let [made, from] = ['', 0];
  while (from < text.length) {
    const end = boundaryAfter(text, from + PIECE);
    made += normalizedAtOnce(text.slice(from, end), form);
    steps((end - from) >> STEP_SHIFT);
    from = end;
  }
  return made;
}

function boundaryAfter(text: string, least: number): number {
  for (let at = unpaired(text, least); at < text.length; ) {
    const end = unpaired(text, at + PIECE);
    const found = text.slice(at, end).search(BOUNDARY);
    if (found >= 0) return at + found;
    step();
    at = end;
  }
  return text.length;
}

/** Returns the position, or the next one if it is within a pair of surrogates. */
function unpaired(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at + 1 : at;
}

function normalizedAtOnce(text: string, form: NormalForm): string {
  let [made, at] = ['', 0];
  for (const { 0: marks, index } of text.matchAll(MANY_MARKS)) {
    step();
    const end = index + marks.length;
    made += text.slice(at, end).normalize(form);
    at = end;
  }
  return made + text.slice(at).normalize(form);
}
