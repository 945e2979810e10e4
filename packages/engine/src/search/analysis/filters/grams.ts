import { BoundedTokens, type TokenFilter } from '../token.ts';
import { characterBounds } from '../tokenizers/grams.ts';

export interface GramOptions {
  readonly minGram: number;
  readonly maxGram: number;
  /** Keeps terms that are too short or too long for grams. */
  readonly keepOthers: boolean;
  /** Takes grams from the start or the end of the term, or from everywhere. */
  readonly from: 'end' | 'everywhere' | 'start';
}

/** Replaces each term by its grams, with the position and offsets of the term. */
export function gramFilter({ minGram, maxGram, keepOthers, from }: GramOptions): TokenFilter {
  return (tokens) => {
    const grams = new BoundedTokens();
    for (const token of tokens) {
      const { term } = token;
      const bounds = characterBounds(term);
      const length = bounds.length - 1;
      const add = (start: number, end: number) =>
        grams.push({ ...token, term: term.slice(bounds[start], bounds[end]) });
      if (from === 'everywhere') {
        for (let start = 0; start < length && !grams.full; start++) {
          for (let size = minGram; size <= maxGram && start + size <= length && !grams.full; size++)
            add(start, start + size);
        }
      } else {
        for (let size = minGram; size <= Math.min(maxGram, length) && !grams.full; size++) {
          if (from === 'start') add(0, size);
          else add(length - size, length);
        }
      }
      if (keepOthers && (length < minGram || length > maxGram)) grams.push(token);
    }
    return grams.all;
  };
}
