/** A unit of text that is indexed and searched. */
export interface Token {
  readonly term: string;
  /** The offsets of the token in the original text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The position in the text, from 0. Tokens at the same position are alternatives; a removed token leaves a gap. */
  readonly position: number;
  /** True if stemmers leave the token unchanged. */
  readonly keyword?: boolean;
}

/**
 * Tokens in batches, in order of position. A batch is computed when it is read, in about ten milliseconds at most.
 * Between two batches, readers can yield to other work. A batch may be empty.
 */
export type Batches = Iterable<readonly Token[]>;

export interface Analyzer {
  (text: string): Batches;
  /** Applies the filters to a whole text as one token, for patterns. Absent if there are no filters. */
  readonly whole?: Analyzer;
}

/**
 * Maximum number of tokens per text and per document. Further tokens are dropped. Even a short text may have
 * millions of grams.
 */
export const MAX_TOKENS = 1_000_000;

/** Maximum number of tokens in a batch. */
export const BATCH = 256;

/** A text that char filters transform before the tokenizer reads it. */
export interface Source {
  readonly text: string;
  /**
   * The offset in the original text of each UTF-16 unit of `text`, and of its end. Absent if the offsets are the same.
   */
  readonly origins?: Int32Array;
  /** If a char filter makes the text longer than this number of UTF-16 units, the rest is dropped. */
  readonly most: number;
}

/**
 * A part of an analyzer. The higher the total cost of its parts, the shorter the pieces of text that the analyzer
 * processes at once.
 */
interface Part {
  /** The cost in steps per character; a step takes about 20 ns. The default is `PLAIN`. */
  readonly cost?: number;
}

/** Returns the changed text. Yields where other work can run. */
export interface CharFilter extends Part {
  (source: Source): Generator<void, Source>;
}

/** Splits a text into tokens, whose offsets refer to that text. */
export interface Tokenizer extends Part {
  (text: string): Batches;
  /** The longest piece of text that the tokenizer splits at once. */
  readonly longest?: number;
  /**
   * True if every token begins at the start of the text. The tokenizer then receives only the first `MAX_TERM
   * + 1` characters, because longer tokens are dropped.
   */
  readonly wholly?: boolean;
}

/** Transforms tokens. It returns batches of at most `most` characters. */
export interface TokenFilter extends Part {
  (batches: Batches, most: number): Batches;
}

export interface AnalyzerParts {
  readonly charFilters?: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly tokenFilters?: readonly TokenFilter[];
}

const PLAIN = 1;

/** Maximum number of steps that all parts together take for one piece, about ten milliseconds. */
const STEPS = 2 ** 20;
/** The estimated number of steps of a pattern after which a batch ends. */
export const PATTERN_STEPS = STEPS;
/** The range of the length of a piece, in characters. */
const LONGEST = 2 ** 14;
const SHORTEST = 2 ** 8;

/** Maximum length of an indexed term, in bytes. */
export const MAX_TERM = 32_766;

/** Maximum length of a piece after char filters and token filters, as a multiple of its original length. */
const GROWTH = 2;

/**
 * Maximum number of batches of one text. Without this limit, filters that remove most tokens could run for a very long
 * time.
 */
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

  function* analyzed(text: string): Generator<readonly Token[]> {
    const work = new Work();
    let source: Source = { text, most };
    for (const filter of charFilters) {
      const changing = filter(source);
      let next = changing.next();
      for (; next.done !== true; next = changing.next()) yield [];
      source = next.value;
      if (work.spend((filter.cost ?? PLAIN) * source.text.length)) yield [];
    }
    const { origins } = source;
    let batches = tokenizer(source.text);
    if (origins !== undefined) batches = inGivenText(batches, origins);
    for (const filter of tokenFilters) batches = filter(pausing(batches, filter.cost ?? PLAIN, work), most);
    yield* batches;
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

/** The work of all filters on a piece. */
class Work {
  #left = STEPS;

  /** Counts the steps of a filter. Returns true if it is time for a pause. */
  spend(steps: number): boolean {
    this.#left -= steps;
    if (this.#left > 0) return false;
    this.#left = STEPS;
    return true;
  }
}

/** The number of characters that take as long as a token without characters. */
const EMPTY = 8;

/**
 * Yields an empty batch where it is time for a pause before the next filter reads a batch. A chain of filters that add
 * tokens would otherwise work for seconds before its first batch.
 */
function* pausing(batches: Batches, cost: number, work: Work): Generator<readonly Token[]> {
  for (const tokens of batches) {
    let letters = 0;
    for (const { term } of tokens) letters += EMPTY + term.length;
    if (work.spend(cost * letters)) yield [];
    yield tokens;
  }
}

/**
 * Returns the end of a piece. If there is white space in the last quarter of the piece, the piece ends after
 * it.
 */
function endOfPiece(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - (length >> 2); at--) if (/\s/.test(text[at - 1] as string)) return at;
  // Does not split a surrogate pair.
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

/** Collects tokens in batches. The last batch may be empty. */
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

/** Creates a filter that transforms each batch independently. `change` must not add many tokens. */
export function batchFilter(change: (tokens: readonly Token[]) => readonly Token[]): TokenFilter {
  return function* (batches) {
    for (const tokens of batches) yield change(tokens);
  };
}

/** Creates a filter that may replace each token by many. */
export function tokenFilter(replace: (token: Token) => Iterable<Token>): TokenFilter {
  return function* (batches, most) {
    for (const tokens of batches) yield* batched(replaced(tokens, replace), most);
  };
}

function* replaced(tokens: readonly Token[], replace: (token: Token) => Iterable<Token>): Generator<Token> {
  for (const token of tokens) yield* replace(token);
}

/** Creates a filter that changes each term independently. A term that becomes empty stays. */
export function termFilter(change: (term: string) => string): TokenFilter {
  return batchFilter((tokens) =>
    tokens.map((token) => {
      const term = change(token.term);
      return term === token.term ? token : { ...token, term };
    }),
  );
}

/** Creates a filter that changes each term except keywords. */
export function stemFilter(stem: (word: string) => string): TokenFilter {
  return batchFilter((tokens) =>
    tokens.map((token) => (token.keyword === true ? token : { ...token, term: stem(token.term) })),
  );
}

/** Returns all tokens of a text, up to the limit. Calls `check` between batches. */
export function allTokens(analyzer: Analyzer, text: string, check: () => void = () => {}): Token[] {
  const all: Token[] = [];
  for (const tokens of analyzer(text)) {
    check();
    for (const token of tokens) if (all.length < MAX_TOKENS) all.push(token);
    if (all.length >= MAX_TOKENS) break;
  }
  return all;
}
