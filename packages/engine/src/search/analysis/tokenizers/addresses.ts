import type { Token, Tokenizer } from '../token.ts';
import { standardTokenizer } from './standard.ts';

const HOST = '(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+\\p{L}{2,}';

/** URLs with a scheme or a path, host names with `www.`, and email addresses. */
const ADDRESS = new RegExp(
  [
    `(?:https?|ftp|file)://[^\\s<>"'(){}]*[^\\s<>"'(){}.,;:!?]`,
    `(?:mailto:)?[\\p{L}\\p{N}!#$%&*+/=?^_\`|~-]+(?:\\.[\\p{L}\\p{N}!#$%&*+/=?^_\`|~-]+)*@(?:${HOST}|\\[[\\d.:a-fA-F]+\\])`,
    `(?<![\\p{L}\\p{N}.])(?:www\\.${HOST}|${HOST}(?::\\d+)?(?=/))(?::\\d+)?(?:/[^\\s<>"'(){}]*[^\\s<>"'(){}.,;:!?])?/?`,
  ].join('|'),
  'gu',
);

/** Words as `standard` finds them, but URLs and email addresses are single tokens. */
export function addressTokenizer(maxTokenLength: number): Tokenizer {
  const words = standardTokenizer(maxTokenLength);
  return (text) => {
    const tokens: Token[] = [];
    const wordsOf = (start: number, end: number) => {
      for (const { term, start: from, end: to } of words(text.slice(start, end))) {
        tokens.push({ term, start: start + from, end: start + to, position: tokens.length });
      }
    };
    let at = 0;
    for (const { 0: address, index } of text.matchAll(ADDRESS)) {
      wordsOf(at, index);
      at = index + address.length;
      if (address.length > maxTokenLength) wordsOf(index, at);
      else tokens.push({ term: address, start: index, end: at, position: tokens.length });
    }
    wordsOf(at, text.length);
    return tokens;
  };
}
