import { type NormalForm, normalized } from '../../../bson/normal-forms.ts';
import { batchFilter, type TokenFilter, termFilter, tokenFilter } from '../token.ts';
import { lowercased } from './lowercase.ts';

export const trim: TokenFilter = termFilter((term) => term.trim());

export const reverse: TokenFilter = termFilter((term) => [...term].reverse().join(''));

export function lengthBetween(min: number, max: number): TokenFilter {
  return batchFilter((tokens) => tokens.filter(({ term }) => term.length >= min && term.length <= max));
}

export function normalize(form: Lowercase<NormalForm>): TokenFilter {
  const name = form.toUpperCase() as NormalForm;
  return termFilter((term) => normalized(term, name));
}

/** Removes the given words. Each leaves a gap in the positions. */
export function stopWordsOf(words: readonly string[], ignoreCase: boolean): TokenFilter {
  const key = (word: string) => (ignoreCase ? lowercased(word) : word);
  const all = new Set(words.map(key));
  return batchFilter((tokens) => tokens.filter(({ term }) => !all.has(key(term))));
}

/** Emits each token twice: once as a keyword, which stemmers leave unchanged, and once as it is. */
export const keywordRepeat: TokenFilter = tokenFilter((token) => [
  { ...token, keyword: true },
  { ...token, keyword: false },
]);

/** Removes tokens that have the term and the position of an earlier token. */
export const removeDuplicates: TokenFilter = function* (batches) {
  let position = -1;
  const terms = new Set<string>();
  for (const tokens of batches) {
    yield tokens.filter((token) => {
      if (token.position !== position) terms.clear();
      position = token.position;
      if (terms.has(token.term)) return false;
      terms.add(token.term);
      return true;
    });
  }
};
