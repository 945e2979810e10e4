import { stemmer } from 'stemmer';
import { termFilter } from '../token.ts';

/** Takes `'s` from the end. */
export const englishPossessive = termFilter((term) => (/['’＇][sS]$/.test(term) ? term.slice(0, -2) : term));

/** Porter's algorithm of 1980 with his later changes; words of lower-case letters alone have stems. */
export const porterStemming = termFilter((term) => (/^[a-z]{3,}$/.test(term) ? stemmer(term) : term));
