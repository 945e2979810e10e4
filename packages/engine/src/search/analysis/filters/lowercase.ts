import { termFilter } from '../token.ts';

const NOT_ASCII = /[^\0-\x7f]/;

/** Lowercases each character independently: without the Greek final sigma, expansions or locale rules. */
export function lowercased(term: string): string {
  if (!NOT_ASCII.test(term)) return term.toLowerCase();
  let lower = '';
  for (const character of term) lower += character === 'İ' ? 'i' : character.toLowerCase();
  return lower;
}

export const lowercase = termFilter(lowercased);
