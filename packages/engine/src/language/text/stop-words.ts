import { germanic } from './stop-words-germanic.ts';
import { others } from './stop-words-others.ts';
import { romance } from './stop-words-romance.ts';

const lists: Readonly<Record<string, string>> = { ...germanic, ...romance, ...others };

/** Returns the words of a language that are too frequent to index. */
export function stopWords(language: string): ReadonlySet<string> {
  return new Set((lists[language] ?? '').split(/\s+/));
}
