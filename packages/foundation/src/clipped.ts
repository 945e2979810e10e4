/** Maximum length of a caller's text in an error: the text may be megabytes long. */
const MAX_SHOWN = 1000;

export function clipped(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  // Do not split a surrogate pair.
  return `${text
    .slice(0, MAX_SHOWN)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
