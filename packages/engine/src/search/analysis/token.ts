/** What a text becomes before it is indexed or searched. */
export interface Token {
  readonly term: string;
  /** Where it stands in the text as it was given, in UTF-16 units; `end` is the first unit behind it. */
  readonly start: number;
  readonly end: number;
  /** From 0; tokens at one position stand for each other, and removed ones leave a gap. */
  readonly position: number;
}

/** Makes tokens of a text, in the order of their positions. */
export type Analyzer = (text: string) => readonly Token[];

/** Of one text, or of one document, with their letters; what would be more is left out. A text of a few letters may have grams without end. */
export const MOST_TOKENS = 1_000_000;
const MOST_LETTERS = 2 ** 25;

/** Of what is put in the place of letters, which again may be put in the place of others. */
export const MOST_REWRITTEN = 2 ** 20;

/** Tokens where one text may have more of them than memory takes. */
export class BoundedTokens {
  readonly all: Token[] = [];
  #letters = 0;

  get full(): boolean {
    return this.all.length >= MOST_TOKENS || this.#letters > MOST_LETTERS;
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
  /** For every unit of `text`, and its end, the one of the given text; absent while nothing has moved. */
  readonly origins?: Int32Array;
}

export type CharFilter = (source: Source) => Source;

/** Offsets are those in the text that it is handed. */
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
    if (origins !== undefined) tokens = tokens.map((token) => inGivenText(token, origins));
    for (const filter of tokenFilters) tokens = filter(tokens);
    return tokens.length > MOST_TOKENS ? tokens.slice(0, MOST_TOKENS) : tokens;
  };
}

function inGivenText(token: Token, origins: Int32Array): Token {
  return { ...token, start: origins[token.start] ?? token.start, end: origins[token.end] ?? token.end };
}

/** A filter that changes terms alone; what becomes empty stays, as an empty term. */
export function termFilter(change: (term: string) => string): TokenFilter {
  return (tokens) =>
    tokens.map((token) => {
      const term = change(token.term);
      return term === token.term ? token : { ...token, term };
    });
}
