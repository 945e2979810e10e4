import { completedWords } from '../../analysis/index.ts';
import { type Grams, keys } from '../../mapping/field.ts';
import { searchError } from '../errors.ts';
import { expandFuzzy, type Fuzzy, readFuzzy } from '../fuzzy.ts';
import { Hits } from '../hits.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import type { Searching } from '../searching.ts';
import { anyOf, MAX_CLAUSES, tooManyClauses } from '../terms.ts';
import { compileCompound } from './compound.ts';

export const autocompleteOperators: OperatorTable = {
  autocomplete(spec, { search }) {
    const path = spec.requiredString('path');
    const queries = spec.strings('query');
    for (const query of queries)
      if (query === '') throw searchError(`"${spec.name('query')}" cannot be empty`);
    const order = spec.oneOf('tokenOrder', ['any', 'sequential']) ?? 'any';
    const fuzzy = readFuzzy(spec);
    spec.finish();
    if (search.plan === undefined) return anyOf([]);
    const mapping = search.mapping(path, 'autocomplete');
    if (mapping?.grams === undefined) {
      throw searchError(`"autocomplete" requires path "${path}" to be indexed as autocomplete`);
    }
    const { grams, analyzer } = mapping;
    if (queries.length > MAX_CLAUSES) throw tooManyClauses();
    return anyOf(
      queries.map((query) => {
        const words = search.allTokens(completedWords(search.analyzer(analyzer), grams), query);
        if (words.length > MAX_CLAUSES) throw tooManyClauses();
        const terms = words.map(({ term }) => cut(term, grams));
        const clauses = terms.map((term) => gramOperator(path, term, fuzzy, search));
        return order === 'sequential' ? compileCompound({ must: clauses }) : anyOf(clauses);
      }),
    );
  },
};

/** Shortens a term to the length of the longest indexed gram. */
function cut(term: string, { maxGrams: max, tokenization }: Grams): string {
  const letters = [...term];
  if (letters.length <= max) return term;
  return (
    tokenization === 'rightEdgeGram' ? letters.slice(letters.length - max) : letters.slice(0, max)
  ).join('');
}

function gramOperator(path: string, term: string, fuzzy: Fuzzy | undefined, search: Searching): Operator {
  const field = keys.autocomplete(path);
  search.clause();
  const terms = fuzzy === undefined ? [{ term, boost: 1 }] : expandFuzzy(term, field, fuzzy, search);
  return {
    searchedTerms: [{ field: keys.text(path), matches: (other) => other.startsWith(term) }],
    hits(segment) {
      const hits = new Hits(segment.size);
      for (const { term: own, boost } of terms) {
        for (const doc of search.term(field, own).postings(segment)?.docs ?? []) {
          hits.set(doc, Math.max(boost, hits.scores[doc] as number));
        }
      }
      return hits;
    },
  };
}
