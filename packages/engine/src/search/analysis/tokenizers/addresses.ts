import { batched, type Token, type Tokenizer } from '../token.ts';
import { standardTokenizer } from './standard.ts';

/** Characters of host names, of the local parts of email addresses, and of paths. */
const NAME = '\\p{L}\\p{N}';
const LOCAL = `[${NAME}!#$%&*+/=?^_\`|~-]`;
const REST = '[^\\s<>"\'(){}]*[^\\s<>"\'(){}.,;:!?]';

const HOST = `(?:[${NAME}](?:[${NAME}-]*[${NAME}])?\\.)+\\p{L}{2,}`;

/**
 * Matches URLs with a scheme or a path, host names with `www.`, and email addresses. For speed, the pattern
 * does not start again at each character of a run that may form an address. An email address must begin at
 * the start of a local part. A host name must begin at the start of the run, after at most one hyphen or dot.
 */
const ADDRESS = new RegExp(
  [
    `(?:https?|ftp|file)://${REST}`,
    `(?<!${LOCAL})(?<!${LOCAL}\\.)(?:mailto:)?${LOCAL}+(?:\\.${LOCAL}+)*@(?:${HOST}|\\[[\\d.:a-fA-F]+\\])`,
    `(?<=(?:^|[^${NAME}.-])[.-]?)(?![.-])(?:www\\.${HOST}|${HOST}(?::\\d+)?(?=/))(?::\\d+)?(?:/${REST})?/?`,
  ].join('|'),
  'giu',
);

/** Splits text into words like the tokenizer `standard`, but keeps URLs and email addresses as single tokens. */
export function addressTokenizer(maxTokenLength: number): Tokenizer {
  const standard = standardTokenizer(maxTokenLength);
  function* words(text: string, start: number, end: number, position: number): Generator<Token, number> {
    let next = position;
    for (const tokens of standard(text.slice(start, end))) {
      for (const { term, start: from, end: to } of tokens) {
        yield { term, start: start + from, end: start + to, position: next++ };
      }
    }
    return next;
  }
  function* tokens(text: string): Generator<Token> {
    let [at, position] = [0, 0];
    for (const { 0: address, index } of text.matchAll(ADDRESS)) {
      position = yield* words(text, at, index, position);
      at = index + address.length;
      if (address.length > maxTokenLength) position = yield* words(text, index, at, position);
      else yield { term: address, start: index, end: at, position: position++ };
    }
    yield* words(text, at, text.length, position);
  }
  return (text) => batched(tokens(text));
}
