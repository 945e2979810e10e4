import { stemming } from '../filters/snowball.ts';

/**
 * Jacques Savoy's light stemmer as in Lucene: it removes articles, plurals and endings, in this order, and restores
 * changed vowels. Each rule consists of the minimum length of the word, an ending, and its replacement.
 */
const articles = [
  [6, 'ият', ''],
  [5, 'ът', ''],
  [5, 'то', ''],
  [5, 'те', ''],
  [5, 'та', ''],
  [5, 'ия', ''],
  [4, 'ят', ''],
] as const;

const plurals = [
  [6, 'овци', 'о'],
  [6, 'ове', ''],
  [6, 'еве', 'й'],
  [5, 'ища', ''],
  [5, 'та', ''],
  [5, 'ци', 'к'],
  [5, 'зи', 'г'],
  [4, 'си', 'х'],
  [4, 'и', ''],
] as const;

type Rules = ReadonlyArray<readonly [number, string, string]>;

function applied(rules: Rules, word: string): string {
  const rule = rules.find(([length, ending]) => word.length > length && word.endsWith(ending));
  return rule === undefined ? word : word.slice(0, -rule[1].length) + rule[2];
}

export const bulgarianStemming = stemming((word) => {
  if (word.length < 4) return word;
  if (word.length > 5 && word.endsWith('ища')) return word.slice(0, -3);
  let stem = applied(articles, word);
  // Undoes the change of я to е before this plural ending.
  stem =
    stem.length > 5 && /е.и$/.test(stem) && !/[цз]и$/.test(stem)
      ? `${stem.slice(0, -3)}я${stem.at(-2)}`
      : applied(plurals, stem);
  if (stem.length > 3) {
    stem = stem.replace(/я$/, '');
    stem = stem.replace(/[аое]$/, '');
  }
  if (stem.length > 4) stem = stem.replace(/ен$/, 'н');
  if (stem.length > 5 && stem.at(-2) === 'ъ') stem = stem.slice(0, -2) + stem.at(-1);
  return stem;
});
