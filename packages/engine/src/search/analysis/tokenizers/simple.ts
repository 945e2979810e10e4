import { batched, type Token, type Tokenizer } from '../token.ts';
import { MAX_TOKEN_LENGTH } from './standard.ts';

/** The whole text as one token; none if it is empty. Longer than a piece, it is no term in any case. */
export const keywordTokenizer: Tokenizer = Object.assign(
  (text: string) => (text === '' ? [] : [[{ term: text, start: 0, end: text.length, position: 0 }]]),
  { wholly: true },
);

/** Runs of characters other than white space. No-break spaces do not separate words. */
export function whitespaceTokenizer(maxTokenLength = MAX_TOKEN_LENGTH): Tokenizer {
  return runs(/[\S\u00a0\u2007\u202f\ufeff]+/g, maxTokenLength);
}

/** Runs of letters. */
export const letterTokenizer: Tokenizer = runs(/\p{L}+/gu, MAX_TOKEN_LENGTH);

function runs(pattern: RegExp, maxTokenLength: number): Tokenizer {
  function* tokens(text: string): Generator<Token> {
    let position = 0;
    for (const found of text.matchAll(pattern)) {
      const end = found.index + found[0].length;
      for (let start = found.index; start < end; start += maxTokenLength) {
        const to = Math.min(end, start + maxTokenLength);
        yield { term: text.slice(start, to), start, end: to, position: position++ };
      }
    }
  }
  return (text) => batched(tokens(text));
}
