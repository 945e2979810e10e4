import { stemmer } from 'stemmer';
import { termFilter } from '../token.ts';
import { stemming } from './snowball.ts';

/** Removes a final `'s`. */
export const englishPossessive = termFilter((term) => (/['’＇][sS]$/.test(term) ? term.slice(0, -2) : term));

/**
 * Porter's algorithm of 1980 with his later changes, for words of ASCII letters. Like Lucene's implementation, also
 * removes a final `s` after an apostrophe.
 */
export const porterStemming = stemming((term) => {
  if (/^[a-z]{3,}$/.test(term)) return stemmer(term);
  return /^[a-z]+['’]s$/.test(term) ? term.slice(0, -1) : term;
});

/** Converts plurals to singulars by Harman's rules, and leaves other words unchanged. */
export const englishMinimalStemming = stemming((term) => {
  if (term.length < 3 || !/[^us]s$/.test(term)) return term;
  if (/[^ae]ies$/.test(term)) return `${term.slice(0, -3)}y`;
  return /[aeio]es$/.test(term) ? term : term.slice(0, -1);
});
