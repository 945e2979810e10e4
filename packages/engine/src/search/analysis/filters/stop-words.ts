import { batchFilter, type TokenFilter } from '../token.ts';

/** Removes words; gaps in the positions remain. */
export function stopWords(words: ReadonlySet<string>): TokenFilter {
  return batchFilter((tokens) => tokens.filter((token) => !words.has(token.term)));
}
