import type { AutocompleteMapping } from '../../interface/search/index.ts';
import { asciiFolding } from './filters/folding.ts';
import { gramFilter } from './filters/grams.ts';
import { lowercase } from './filters/lowercase.ts';
import type { Analyzer } from './token.ts';

const FROM = { edgeGram: 'start', nGram: 'everywhere', rightEdgeGram: 'end' } as const;

type Grams = Omit<AutocompleteMapping, 'analyzer' | 'similarity' | 'type'>;

/** Maximum number of characters in a batch of words. */
const MOST = 2 ** 16;

const folding = asciiFolding(false);

/**
 * Wraps an analyzer of whole words so that its tokens are normalized like the tokens of an autocomplete
 * field.
 */
export function completedWords(words: Analyzer, { foldDiacritics }: Pick<Grams, 'foldDiacritics'>): Analyzer {
  return (text) => {
    const lower = lowercase(words(text), MOST);
    return foldDiacritics ? folding(lower, MOST) : lower;
  };
}

/**
 * Analyzes the strings of an autocomplete field. `words` splits a string into words, and the tokens are the grams of
 * these words.
 */
export function autocompleteAnalyzer(words: Analyzer, grams: Grams): Analyzer {
  const { minGrams, maxGrams, tokenization } = grams;
  const whole = completedWords(words, grams);
  const pieces = gramFilter({
    minGram: minGrams,
    maxGram: maxGrams,
    keepOthers: false,
    from: FROM[tokenization],
  });
  return (text) => pieces(whole(text), MOST);
}
