/** A term of a text: where it stands, in characters, and as the how manieth. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

/** Takes a text apart. */
export type Analyzer = (text: string) => Token[];

/** Finds analyzers by name: those of an index, and those that are always there. */
export type Analyzers = (name: string) => Analyzer;

const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’.][\p{L}\p{N}\p{M}_]+)*/gu;

const standard: Analyzer = (text) => {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    tokens.push({
      term: match[0].toLowerCase(),
      start: match.index,
      end: match.index + match[0].length,
      position: tokens.length,
    });
  }
  return tokens;
};

const keyword: Analyzer = (text) => [{ term: text, start: 0, end: text.length, position: 0 }];

export function isKeyword(name: string | undefined): boolean {
  return name === 'lucene.keyword' || name === 'lib.keyword';
}

export function analyzersOf(_definitions: readonly object[]): Analyzers {
  return (name) => (isKeyword(name) ? keyword : standard);
}
