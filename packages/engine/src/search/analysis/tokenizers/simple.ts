import { batched, type Token, type Tokenizer } from '../token.ts';
import { MAX_TOKEN_LENGTH } from './standard.ts';

/**
 * Returns its input as one token, or no token if the input is empty. Because of `wholly`, callers pass only the start of
 * a text that is longer than a term can be. The token is then still too long, and is dropped.
 */
export const keywordTokenizer: Tokenizer = Object.assign(
  (text: string) => (text === '' ? [] : [[{ term: text, start: 0, end: text.length, position: 0 }]]),
  { wholly: true },
);

/** Splits text at white space. No-break spaces do not separate words. */
export function whitespaceTokenizer(maxTokenLength = MAX_TOKEN_LENGTH): Tokenizer {
  return runs(/[\S\u00a0\u2007\u202f\ufeff]+/g, maxTokenLength);
}

/** Returns runs of letters. */
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
