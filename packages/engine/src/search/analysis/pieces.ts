import type { Analyzer, Token } from './token.ts';

/** The most characters that are analyzed at once, which takes some milliseconds. */
const PIECE = 65_536;

/** A piece ends after white space if this many of its last characters contain any. */
const ROOM = 1_024;

/** Tokens of a text, piece by piece: `check` runs between pieces, and the caller may stop early. */
export function* tokensOf(analyzer: Analyzer, text: string, check: () => void): Generator<readonly Token[]> {
  let [from, position] = [0, 0];
  while (from < text.length) {
    check();
    const to = endOf(text, from);
    const tokens = analyzer(from === 0 && to === text.length ? text : text.slice(from, to));
    yield from === 0 ? tokens : tokens.map((token) => moved(token, from, position));
    position += (tokens.at(-1)?.position ?? -1) + 1;
    from = to;
  }
}

/** Like `tokensOf`, but returns all tokens at once. */
export function inPieces(analyzer: Analyzer, check: () => void): Analyzer {
  return (text) => {
    if (text.length <= PIECE) return analyzer(text);
    const all: Token[] = [];
    for (const tokens of tokensOf(analyzer, text, check)) for (const token of tokens) all.push(token);
    return all;
  };
}

function endOf(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - ROOM; at--) if (/\s/.test(text[at - 1] as string)) return at;
  // Never between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[end - 1] as string) ? end - 1 : end;
}

function moved({ term, start, end, position }: Token, by: number, behind: number): Token {
  return { term, start: start + by, end: end + by, position: position + behind };
}
