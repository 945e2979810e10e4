/** Maximum length of a caller's text in an error message. The text itself may have megabytes. */
const MAX_SHOWN = 1000;

export function clipped(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  // If the cut splits a surrogate pair, remove the half that remains.
  return `${text
    .slice(0, MAX_SHOWN)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
