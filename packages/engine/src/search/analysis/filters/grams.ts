import { type Token, type TokenFilter, tokenFilter } from '../token.ts';
import { characterBounds, type GramPlace, gramsOf } from '../tokenizers/grams.ts';

export interface GramOptions {
  readonly minGram: number;
  readonly maxGram: number;
  /** True if terms that are too short or too long for grams are kept. */
  readonly keepOthers: boolean;
  readonly from: GramPlace;
}

/** Replaces each term by its grams, which have the position and offsets of the term. */
export function gramFilter({ minGram, maxGram, keepOthers, from }: GramOptions): TokenFilter {
  return tokenFilter(function* (token): Generator<Token> {
    const { term } = token;
    const bounds = characterBounds(term);
    const length = bounds.length - 1;
    for (const [start, end] of gramsOf(length, minGram, maxGram, from)) {
      yield { ...token, term: term.slice(bounds[start], bounds[end]) };
    }
    if (keepOthers && (length < minGram || length > maxGram)) yield token;
  });
}
