import { stemmer } from 'stemmer';
import { termFilter } from '../token.ts';
import { stemming } from './snowball.ts';

/** Removes a final `'s`. */
export const englishPossessive = termFilter((term) => (/['’＇][sS]$/.test(term) ? term.slice(0, -2) : term));

/** Porter's algorithm of 1980 with his later changes. Only words of lower-case ASCII letters are stemmed. */
export const porterStemming = stemming((term) => (/^[a-z]{3,}$/.test(term) ? stemmer(term) : term));
