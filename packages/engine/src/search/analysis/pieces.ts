import type { Analyzer, Token } from './token.ts';

/** Letters that are analysed at once: some milliseconds. */
const PIECE = 65_536;

/** Where a text may be cut: behind white space, near the end of a piece. */
const ROOM = 1_024;

/** Tokens of a long text piece by piece, so that somebody may look in between, or want no more of them. */
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

/** As `tokensOf`, all of them. */
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
  // Not between the halves of one letter.
  return /[\uD800-\uDBFF]/.test(text[end - 1] as string) ? end - 1 : end;
}

function moved({ term, start, end, position }: Token, by: number, behind: number): Token {
  return { term, start: start + by, end: end + by, position: position + behind };
}
