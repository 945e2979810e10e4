import { completedWords } from '../../analysis/index.ts';
import { type FieldMapping, type Grams, keys } from '../../mapping/field.ts';
import { searchError } from '../errors.ts';
import { expandFuzzy, type Fuzzy, readFuzzy } from '../fuzzy.ts';
import { Hits } from '../hits.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import { textFields } from '../paths.ts';
import type { Searching } from '../searching.ts';
import { anyOf, MAX_CLAUSES, TermOperator, tooManyClauses } from '../terms.ts';
import { compileCompound } from './compound.ts';
import { phraseIn } from './phrase.ts';
import { textIn } from './text.ts';

type TokenOrder = 'any' | 'sequential';

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
    const grams = mapping?.grams;
    if (mapping === undefined || grams === undefined) {
      throw searchError(`"autocomplete" requires path "${path}" to be indexed as autocomplete`);
    }
    if (fuzzy !== undefined && fuzzy.prefixLength > grams.maxGrams) {
      throw searchError(
        `"${spec.name('fuzzy.prefixLength')}" cannot be greater than "maxGrams" of the index`,
      );
    }
    if (queries.length > MAX_CLAUSES) throw tooManyClauses();
    const terms = new Set(queries.flatMap((query) => termsOf(query, mapping, grams, order, search)));
    const found = anyOf([...terms].map((term) => gramOperator(path, term, fuzzy, mapping, search)));
    return compileCompound({ must: [found], should: exactMatches(path, queries, order, search) });
  },
};

/** Returns the grams to search: one for all words together and, if the words may be in any order, one for each word. */
function termsOf(
  query: string,
  { analyzer }: FieldMapping,
  grams: Grams,
  order: TokenOrder,
  search: Searching,
): string[] {
  const words = search.allTokens(completedWords(search.analyzer(analyzer), grams), query);
  if (words.length > MAX_CLAUSES) throw tooManyClauses();
  const terms = words.map(({ term }) => term);
  const joined = terms.join(' ');
  if (joined === '') return [];
  return (order === 'any' ? [...terms, joined] : [joined]).map((term) => cut(term, grams));
}

/** Shortens a term to the length of the longest indexed gram. */
function cut(term: string, { maxGrams: max, tokenization }: Grams): string {
  const letters = [...term];
  if (letters.length <= max) return term;
  return (
    tokenization === 'rightEdgeGram' ? letters.slice(letters.length - max) : letters.slice(0, max)
  ).join('');
}

/** Finds whole words if the field is indexed as a string as well. Such matches raise the score. */
function exactMatches(
  path: string,
  queries: readonly string[],
  order: TokenOrder,
  search: Searching,
): Operator[] {
  if (search.mapping(path, 'string') === undefined) return [];
  return textFields([{ path }], search).flatMap((field) =>
    queries.flatMap((query) =>
      order === 'any' || field.mapping?.positions === false
        ? textIn(query, field, search)
        : phraseIn(query, field, 0, search),
    ),
  );
}

function gramOperator(
  path: string,
  term: string,
  fuzzy: Fuzzy | undefined,
  mapping: FieldMapping,
  search: Searching,
): Operator {
  const field = keys.autocomplete(path);
  const searchedTerms = [
    { field: keys.text(path), matches: (word: string) => completes(word, term, mapping) },
  ];
  if (fuzzy === undefined) {
    const exact = new TermOperator(search, field, term, { mapping });
    return { searchedTerms, hits: (segment) => exact.hits(segment), explain: exact.explain.bind(exact) };
  }
  search.clause();
  const terms = expandFuzzy(term, field, fuzzy, search);
  return {
    searchedTerms,
    hits(segment) {
      const hits = new Hits(segment.size);
      for (const { term: own } of terms) {
        for (const doc of search.term(field, own).postings(segment)?.docs ?? []) hits.set(doc, 1);
      }
      return hits;
    },
  };
}

/**
 * True if a searched term is a gram of a word, or consists of several words of which this word is the first.
 */
function completes(word: string, term: string, { grams }: FieldMapping): boolean {
  const [first = '', second] = term.split(' ');
  if (second !== undefined) return word === first;
  if (grams?.tokenization === 'nGram') return word.includes(term);
  return grams?.tokenization === 'rightEdgeGram' ? word.endsWith(term) : word.startsWith(term);
}
