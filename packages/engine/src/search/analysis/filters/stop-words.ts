import { batchFilter, type TokenFilter } from '../token.ts';

/** Removes stop words. Each leaves a gap in the positions. */
export function stopWords(words: ReadonlySet<string>): TokenFilter {
  return batchFilter((tokens) => tokens.filter((token) => !words.has(token.term)));
}
