import { patternEngine } from '../../../interface/search/index.ts';
import { MAX_REWRITTEN, type TokenFilter, termFilter } from '../token.ts';
import { lowercased } from './lowercase.ts';

export const trim: TokenFilter = termFilter((term) => term.trim());

export const reverse: TokenFilter = termFilter((term) => [...term].reverse().join(''));

export function lengthBetween(min: number, max: number): TokenFilter {
  return (tokens) => tokens.filter(({ term }) => term.length >= min && term.length <= max);
}

export function normalize(form: 'nfc' | 'nfd' | 'nfkc' | 'nfkd'): TokenFilter {
  const name = form.toUpperCase();
  return termFilter((term) => term.normalize(name));
}

export function replacePattern(pattern: string, replacement: string, all: boolean): TokenFilter {
  const compiled = patternEngine().compile(pattern);
  // The replacement may be inserted after every letter.
  const most = Math.ceil((4 * MAX_REWRITTEN) / (replacement.length + 1));
  return termFilter((whole) => {
    const term = whole.length > most ? whole.slice(0, most) : whole;
    const matcher = compiled.matcher(term);
    return all ? matcher.replaceAll(replacement) : matcher.replaceFirst(replacement);
  });
}

/** Removes these words; gaps in the positions remain. */
export function stopWordsOf(words: readonly string[], ignoreCase: boolean): TokenFilter {
  const key = (word: string) => (ignoreCase ? lowercased(word) : word);
  const all = new Set(words.map(key));
  return (tokens) => tokens.filter(({ term }) => !all.has(key(term)));
}
