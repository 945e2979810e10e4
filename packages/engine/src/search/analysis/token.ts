/** A unit of a text that is indexed or searched. */
export interface Token {
  readonly term: string;
  /** Its offsets in the original text, in UTF-16 units; `end` is after its last unit. */
  readonly start: number;
  readonly end: number;
  /** From 0; tokens at one position are alternatives, and removed tokens leave a gap. */
  readonly position: number;
}

/** Splits a text into tokens, in the order of their positions. */
export type Analyzer = (text: string) => readonly Token[];

/**
 * The most tokens of one text or one document, and the most characters in them; more are dropped. Even a short text may
 * have very many grams.
 */
export const MAX_TOKENS = 1_000_000;
const MAX_LETTERS = 2 ** 25;

/** The most characters after a replacement, which other filters may replace again. */
export const MAX_REWRITTEN = 2 ** 20;

/** Collects tokens up to those limits. */
export class BoundedTokens {
  readonly all: Token[] = [];
  #letters = 0;

  get full(): boolean {
    return this.all.length >= MAX_TOKENS || this.#letters > MAX_LETTERS;
  }

  push(token: Token): void {
    if (this.full) return;
    this.all.push(token);
    this.#letters += token.term.length;
  }
}

/** A text on its way to the tokenizer. */
export interface Source {
  readonly text: string;
  /** For each unit of `text`, and for its end, the offset in the original text; absent if all offsets are the same. */
  readonly origins?: Int32Array;
}

export type CharFilter = (source: Source) => Source;

/** Offsets are those in its input. */
export type Tokenizer = (text: string) => Token[];

export type TokenFilter = (tokens: readonly Token[]) => readonly Token[];

export interface AnalyzerParts {
  readonly charFilters?: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly tokenFilters?: readonly TokenFilter[];
}

export function analyzerOf({ charFilters = [], tokenizer, tokenFilters = [] }: AnalyzerParts): Analyzer {
  return (given) => {
    let source: Source = { text: given };
    for (const filter of charFilters) source = filter(source);
    let tokens: readonly Token[] = tokenizer(source.text);
    const { origins } = source;
    if (origins !== undefined) tokens = tokens.map((token) => atOriginalPosition(token, origins));
    for (const filter of tokenFilters) tokens = filter(tokens);
    return tokens.length > MAX_TOKENS ? tokens.slice(0, MAX_TOKENS) : tokens;
  };
}

function atOriginalPosition(token: Token, origins: Int32Array): Token {
  return { ...token, start: origins[token.start] ?? token.start, end: origins[token.end] ?? token.end };
}

/** A filter that changes each term on its own; a term that becomes empty stays. */
export function termFilter(change: (term: string) => string): TokenFilter {
  return (tokens) =>
    tokens.map((token) => {
      const term = change(token.term);
      return term === token.term ? token : { ...token, term };
    });
}
