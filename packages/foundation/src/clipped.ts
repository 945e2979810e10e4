/** Characters of one text of the caller's that an error repeats: a body may hold megabytes of one. */
const MOST_SHOWN = 1000;

export function clipped(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  // Where the cut goes through a pair, half of it would be no text.
  return `${text
    .slice(0, MOST_SHOWN)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
