/**
 * Pieces of a regular expression in the syntax of Lucene: an escape, a class, a quoted text, a range or a character. A
 * class without an end, which is an error, is one piece, so that the text is read only once.
 */
const PIECES = /\\.|\[\^?\]?(?:\\.|[^\]\\])*(?:\]|\\?$)|"[^"]*"|<\d+-\d+>|./gsu;

/**
 * Translates a regular expression of Lucene to the syntax of Perl. Lucene has no anchors; it has numeric ranges such as
 * `<1-31>`, quoted texts, `@` for any text and `#` for no text.
 */
export function perlOf(query: string): string {
  return query.replace(PIECES, (piece) => {
    if (piece === '#') return '[^\\x{0}-\\x{10ffff}]';
    if (piece === '@') return '(?:.*)';
    if (piece === '^' || piece === '$') return `\\${piece}`;
    if (piece.length < 2) return piece;
    if (piece.startsWith('"')) return `(?:${escaped(piece.slice(1, -1))})`;
    return piece.startsWith('<') ? rangeOf(piece.slice(1, -1)) : piece;
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/gu, '\\$&');
}

/**
 * Returns a pattern for the integers in a range. The bounds of the range may be in either order. If both have the same
 * number of digits, each match has this number of digits. Otherwise leading zeros are accepted.
 */
function rangeOf(range: string): string {
  const [from = '', to = ''] = range.split('-');
  const [low, high] = BigInt(from) <= BigInt(to) ? [from, to] : [to, from];
  const width = Math.max(low.length, high.length);
  const zeros = from.length === to.length ? '' : '0*';
  const padded = low.padStart(width, '0');
  const pieces = between(padded, high.padStart(width, '0')).map((one) =>
    zeros === '' ? one : one.replace(/^0+(?=.)/u, ''),
  );
  return `(?:${zeros}(?:${pieces.join('|')}))`;
}

/** Returns patterns for the numbers from `low` to `high`, which have the same number of digits. */
function between(low: string, high: string): string[] {
  if (low === high) return [low];
  if (low.length === 1) return [`[${low}-${high}]`];
  const [first, last] = [low[0] as string, high[0] as string];
  const rest = low.length - 1;
  const [zeros, nines] = ['0'.repeat(rest), '9'.repeat(rest)];
  // Without this, both bounds of a range would be split again at each digit: 2^18 pieces for 18 digits.
  if (low === `0${zeros}` && high === `9${nines}`) return [`[0-9]{${low.length}}`];
  if (first === last) return between(low.slice(1), high.slice(1)).map((one) => first + one);
  const middle: string[] = [];
  const [from, to] = [Number(first) + 1, Number(last) - 1];
  if (from <= to) middle.push(`[${from}-${to}][0-9]{${rest}}`);
  return [
    ...between(low.slice(1), nines).map((one) => first + one),
    ...middle,
    ...between(zeros, high.slice(1)).map((one) => last + one),
  ];
}
