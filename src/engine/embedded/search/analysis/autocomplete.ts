import type { AutocompleteMapping } from '../../../search/index.ts';
import { asciiFolding } from './filters/folding.ts';
import { gramFilter } from './filters/grams.ts';
import { lowercase } from './filters/lowercase.ts';
import type { Analyzer, TokenFilter } from './token.ts';

const FROM = { edgeGram: 'start', nGram: 'everywhere', rightEdgeGram: 'end' } as const;

/** What a field's texts become for autocompletion: pieces of the words that the analyzer finds. */
export function autocompleteAnalyzer(
  words: Analyzer,
  {
    minGrams,
    maxGrams,
    tokenization,
    foldDiacritics,
  }: Omit<AutocompleteMapping, 'analyzer' | 'similarity' | 'type'>,
): Analyzer {
  const grams = gramFilter({
    minGram: minGrams,
    maxGram: maxGrams,
    keepOthers: false,
    from: FROM[tokenization],
  });
  const filters: readonly TokenFilter[] = [
    lowercase,
    ...(foldDiacritics ? [asciiFolding(false)] : []),
    grams,
  ];
  return (text) => filters.reduce((tokens, filter) => filter(tokens), words(text));
}
