/** A unit of a text that is indexed or searched. */
export interface Token {
  readonly term: string;
  /** Its offsets in the original text, in UTF-16 units; `end` is after its last unit. */
  readonly start: number;
  readonly end: number;
  /** From 0; tokens at one position are alternatives, and removed tokens leave a gap. */
  readonly position: number;
}

/**
 * Tokens in batches, in the order of their positions; each batch is made when it is read. A batch takes at most some
 * ten milliseconds, so that the reader can let other work run in between; it may be empty.
 */
export type Batches = Iterable<readonly Token[]>;

/** Splits a text into tokens. */
export type Analyzer = (text: string) => Batches;

/** Maximum number of tokens of one text or one document; more are dropped. Even a short text may have very many grams. */
export const MAX_TOKENS = 1_000_000;

/** Maximum number of tokens of a batch. */
export const BATCH = 256;

/** A text on its way to the tokenizer. */
export interface Source {
  readonly text: string;
  /** For each unit of `text`, and for its end, the offset in the original text; absent if all offsets are the same. */
  readonly origins?: Int32Array;
  /** Maximum length of a longer replacement of the text, in UTF-16 units; the rest is dropped. */
  readonly most: number;
}

/** The higher the cost of its parts, the shorter the pieces of text that an analyzer works on. */
interface Part {
  /** Steps per character, of some 20 ns; absent: `PLAIN`. */
  readonly cost?: number;
}

export interface CharFilter extends Part {
  (source: Source): Source;
}

/** Offsets refer to the input of the tokenizer. */
export interface Tokenizer extends Part {
  (text: string): Batches;
  /** The longest piece of text that it splits at once. */
  readonly longest?: number;
  /** All its tokens begin at the start of the text; those longer than a term are dropped. */
  readonly wholly?: boolean;
}

/** Makes batches of at most `most` characters. */
export interface TokenFilter extends Part {
  (batches: Batches, most: number): Batches;
}

export interface AnalyzerParts {
  readonly charFilters?: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly tokenFilters?: readonly TokenFilter[];
}

const PLAIN = 1;

/** Maximum number of steps of all parts together for one piece: some ten milliseconds. */
const STEPS = 2 ** 20;
/** Characters of a piece. */
const LONGEST = 2 ** 14;
const SHORTEST = 2 ** 8;

/** The longest term that is indexed: bytes. */
export const MAX_TERM = 32_766;

/** The longest text after char filters and replacements, in pieces. */
const GROWTH = 2;

/** Maximum number of batches of one text: filters may remove all of very many tokens. */
const MAX_BATCHES = 2 ** 14;

export function analyzerOf({ charFilters = [], tokenizer, tokenFilters = [] }: AnalyzerParts): Analyzer {
  const cost = [...charFilters, tokenizer, ...tokenFilters].reduce(
    (sum, part) => sum + (part.cost ?? PLAIN),
    0,
  );
  const wholly = tokenizer.wholly === true;
  const longest = Math.min(tokenizer.longest ?? LONGEST, Math.max(SHORTEST, Math.floor(STEPS / cost)));
  const length = wholly ? MAX_TERM + 1 : longest;
  const most = GROWTH * length;

  function analyzed(text: string): Batches {
    let source: Source = { text, most };
    for (const filter of charFilters) source = filter(source);
    const { origins } = source;
    let batches = tokenizer(source.text);
    if (origins !== undefined) batches = inGivenText(batches, origins);
    for (const filter of tokenFilters) batches = filter(batches, most);
    return batches;
  }

  return function* (text) {
    let [from, position, count] = [0, 0, 0];
    while (from < text.length) {
      const to = wholly ? Math.min(length, text.length) : endOfPiece(text, from, length);
      let next = position;
      for (const batch of analyzed(text.slice(from, to))) {
        if (++count > MAX_BATCHES) return;
        const tokens = from === 0 ? batch : moved(batch, from, position);
        next = (tokens.at(-1)?.position ?? next - 1) + 1;
        yield tokens;
      }
      if (wholly) return;
      [from, position] = [to, next];
    }
  };
}

/** The end of a piece: after white space if the last quarter of the piece contains any. */
function endOfPiece(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - (length >> 2); at--) if (/\s/.test(text[at - 1] as string)) return at;
  // Never between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[end - 1] as string) ? end - 1 : end;
}

function moved(tokens: readonly Token[], by: number, positions: number): Token[] {
  return tokens.map(({ term, start, end, position }) => ({
    term,
    start: start + by,
    end: end + by,
    position: position + positions,
  }));
}

function* inGivenText(batches: Batches, origins: Int32Array): Generator<readonly Token[]> {
  for (const tokens of batches) {
    yield tokens.map((token) => ({
      ...token,
      start: origins[token.start] ?? token.start,
      end: origins[token.end] ?? token.end,
    }));
  }
}

/** Gathers tokens in batches; the last one may be empty. */
export function* batched(tokens: Iterable<Token>, most: number = LONGEST): Generator<readonly Token[]> {
  let [batch, letters]: [Token[], number] = [[], 0];
  for (const token of tokens) {
    batch.push(token);
    letters += token.term.length;
    if (batch.length < BATCH && letters < most) continue;
    yield batch;
    [batch, letters] = [[], 0];
  }
  yield batch;
}

/** A filter that treats each batch on its own and does not add many tokens. */
export function batchFilter(change: (tokens: readonly Token[]) => readonly Token[]): TokenFilter {
  return function* (batches) {
    for (const tokens of batches) yield change(tokens);
  };
}

/** A filter that may replace each token by many. */
export function tokenFilter(replace: (token: Token) => Iterable<Token>): TokenFilter {
  return function* (batches, most) {
    for (const tokens of batches) yield* batched(replaced(tokens, replace), most);
  };
}

function* replaced(tokens: readonly Token[], replace: (token: Token) => Iterable<Token>): Generator<Token> {
  for (const token of tokens) yield* replace(token);
}

/** A filter that changes each term on its own; a term that becomes empty stays. */
export function termFilter(change: (term: string) => string): TokenFilter {
  return batchFilter((tokens) =>
    tokens.map((token) => {
      const term = change(token.term);
      return term === token.term ? token : { ...token, term };
    }),
  );
}

/** All tokens of a text, up to the limit; `check` runs between batches. */
export function allTokens(analyzer: Analyzer, text: string, check: () => void = () => {}): Token[] {
  const all: Token[] = [];
  for (const tokens of analyzer(text)) {
    check();
    for (const token of tokens) if (all.length < MAX_TOKENS) all.push(token);
    if (all.length >= MAX_TOKENS) break;
  }
  return all;
}
