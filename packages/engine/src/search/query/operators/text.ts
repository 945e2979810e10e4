import type { Token } from '../../analyzers.ts';
import { searchError } from '../errors.ts';
import { expandFuzzy, type Fuzzy, readFuzzy } from '../fuzzy.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import { pathsOf, type TextField, textFields } from '../paths.ts';
import type { Searching, SynonymSource } from '../searching.ts';
import { readSynonyms, requireSynonyms, wordsOrSynonyms } from '../synonym-query.ts';
import { anyOf, MAX_CLAUSES, nothing, TermOperator, tooManyClauses } from '../terms.ts';
import { compileCompound } from './compound.ts';
import { phraseIn } from './phrase.ts';

export const textOperators: OperatorTable = {
  text(spec, { search }) {
    const queries = spec.strings('query');
    for (const query of queries)
      if (query === '') throw searchError(`"${spec.name('query')}" cannot be empty`);
    const paths = pathsOf(spec);
    const fuzzy = readFuzzy(spec);
    const criteria = spec.oneOf('matchCriteria', ['any', 'all']);
    const synonyms = readSynonyms(spec, search);
    if (synonyms !== undefined && fuzzy !== undefined) {
      throw searchError(`"${spec.at}" cannot have both "fuzzy" and "synonyms"`);
    }
    spec.finish();
    if (queries.length > MAX_CLAUSES) throw tooManyClauses();
    const fields = textFields(paths, search);
    return anyOf(
      fields.flatMap((field) =>
        queries.flatMap((query) =>
          // With synonyms and without criteria, the terms must be in the same positions as in the query.
          synonyms !== undefined && criteria === undefined
            ? phraseIn(query, field, 0, search, synonyms)
            : inField(query, field, { criteria: criteria ?? 'any', fuzzy, synonyms }, search),
        ),
      ),
    );
  },
  /** Searches terms exactly as they are in the index. Deprecated since 2020 but still supported. */
  term(spec, { search }) {
    const fields = textFields(pathsOf(spec), search);
    const queries = spec.strings('query');
    for (const flag of ['wildcard', 'regex', 'prefix', 'analyze']) spec.bool(flag);
    spec.finish();
    return anyOf(
      fields.flatMap(({ key, mapping }) =>
        queries.map((query) => new TermOperator(search, key, query.toLowerCase(), { mapping })),
      ),
    );
  },
};

interface TextOptions {
  readonly criteria: 'any' | 'all';
  readonly fuzzy: Fuzzy | undefined;
  readonly synonyms: SynonymSource | undefined;
}

/** Finds documents with any word of a text in one field. */
export function textIn(query: string, field: TextField, search: Searching): Operator[] {
  return inField(query, field, { criteria: 'any', fuzzy: undefined, synonyms: undefined }, search);
}

function inField(query: string, field: TextField, options: TextOptions, search: Searching): Operator[] {
  const { mapping } = field;
  const tokens = search.allTokens(search.analyzer(mapping?.searchAnalyzer), query);
  if (tokens.length > MAX_CLAUSES) throw tooManyClauses();
  if (mapping === undefined) return [];
  if (options.synonyms !== undefined) return withSynonyms(tokens, field, options.synonyms, options, search);
  const clauses = byTerm(tokens).map((term) => clauseOf(term, field, options, search));
  if (clauses.length === 0) return [];
  return [anyOf(clauses, options.criteria === 'all' ? clauses.length : 1)];
}

/** Finds words or their synonyms. Documents with the words themselves score higher. */
function withSynonyms(
  tokens: readonly Token[],
  field: TextField,
  synonyms: SynonymSource,
  { criteria }: Pick<TextOptions, 'criteria'>,
  search: Searching,
): Operator[] {
  requireSynonyms(synonyms, field);
  const found = wordsOrSynonyms(tokens, field, criteria, synonyms, search);
  const { key, mapping } = field;
  const words = tokens.map(({ term }) => new TermOperator(search, key, term, { mapping }));
  const exact = words.length === 0 ? [] : [anyOf(words, criteria === 'all' ? words.length : 1)];
  return found.length === 0 ? [] : [compileCompound({ must: found, should: exact })];
}

/** Groups tokens by term and counts them, so that each distinct term is one clause. */
function byTerm(tokens: readonly Token[]): ReadonlyArray<{ term: string; times: number }> {
  const times = new Map<string, number>();
  for (const { term } of tokens) times.set(term, (times.get(term) ?? 0) + 1);
  return [...times].map(([term, own]) => ({ term, times: own }));
}

function clauseOf(
  { term, times }: { term: string; times: number },
  { key, mapping }: TextField,
  { fuzzy }: TextOptions,
  search: Searching,
): Operator {
  const own = (text: string, boost = times) => new TermOperator(search, key, text, { boost, mapping });
  if (fuzzy === undefined) return own(term);
  const expanded = expandFuzzy(term, key, fuzzy, search);
  return expanded.length === 0
    ? nothing
    : anyOf(expanded.map(({ term: other, boost }) => own(other, boost * times)));
}
