export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Maximum number of consecutive combining marks that are sorted, as in the stream-safe text format of UAX #15. A limit
 * is needed, because sorting the marks takes quadratic time.
 */
const MAX_MARKS = 30;

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

/** Converts a text to a normal form, in linear time. */
export function normalized(text: string, form: NormalForm): string {
  let [made, at] = ['', 0];
  for (const { 0: marks, index } of text.matchAll(MANY_MARKS)) {
    const end = index + marks.length;
    made += text.slice(at, end).normalize(form);
    at = end;
  }
  return made + text.slice(at).normalize(form);
}
