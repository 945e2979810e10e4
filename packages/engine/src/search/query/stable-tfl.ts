/*
 * The similarity `stableTfl`. It estimates how rare a term is from its length, because longer words are rarer (Zipf's
 * law). Scores do not depend on other documents.
 */

import { K1 } from './bm25.ts';

/** How fast the probability of a term falls with its length. */
const C = 0.917;
/** The probability of a term of length zero at one place of a text. */
const M = 0.00781;

/** Returns a function that computes the rarity of the term in a text from the number of terms of the text. */
export function rarityOf(term: string): (length: number) => number {
  const absent = 1 - M * 2 ** (-C * [...term].length);
  return (length) => {
    const probability = 1 - absent ** length;
    return Math.log(1 + (1 - probability + 0.05) / (probability + 0.05));
  };
}

/** Returns the weight of a term's frequency in a document. */
export function stableTf(freq: number): number {
  return freq / (freq + K1);
}
