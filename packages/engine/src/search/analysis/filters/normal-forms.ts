export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Maximum number of combining marks of one letter that are sorted, as in the stream-safe text format of UAX #15: the time to sort
 * them grows with the square of their number.
 */
const MAX_MARKS = 30;

const MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS}}`, 'gu');

/** The normal form of a text, in time linear in the text. */
export function normalized(text: string, form: NormalForm): string {
  let [made, at] = ['', 0];
  for (const { 0: marks, index } of text.matchAll(MANY_MARKS)) {
    const end = index + marks.length;
    made += text.slice(at, end).normalize(form);
    at = end;
  }
  return made + text.slice(at).normalize(form);
}
