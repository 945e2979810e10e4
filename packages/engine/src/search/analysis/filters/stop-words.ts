import type { TokenFilter } from '../token.ts';

/** Takes words out, and leaves gaps where they stood. */
export function stopWords(words: ReadonlySet<string>): TokenFilter {
  return (tokens) => tokens.filter((token) => !words.has(token.term));
}
