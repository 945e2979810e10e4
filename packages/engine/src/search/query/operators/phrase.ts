import { searchError } from '../errors.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import { pathsOf, requirePositions, type TextField, textFields } from '../paths.ts';
import type { Searching, SynonymSource } from '../searching.ts';
import { eitherOf, sloppy, spanOperator, termSpans } from '../spans.ts';
import { phraseOrSynonyms, readSynonyms, requireSynonyms } from '../synonym-query.ts';
import { anyOf, MAX_CLAUSES, TermOperator, tooManyClauses } from '../terms.ts';

export const phraseOperators: OperatorTable = {
  phrase(spec, { search }) {
    const queries = spec.strings('query');
    for (const query of queries)
      if (query === '') throw searchError(`"${spec.name('query')}" cannot be empty`);
    const paths = pathsOf(spec);
    const slop = spec.int('slop', { min: 0 }) ?? 0;
    const synonyms = readSynonyms(spec, search);
    spec.finish();
    if (queries.length > MAX_CLAUSES) throw tooManyClauses();
    const fields = textFields(paths, search);
    return anyOf(
      fields.flatMap((field) => queries.flatMap((query) => phraseIn(query, field, slop, search, synonyms))),
    );
  },
};

/** Finds a phrase in one field. */
export function phraseIn(
  query: string,
  { path, key, mapping }: TextField,
  slop: number,
  search: Searching,
  synonyms?: SynonymSource,
): Operator[] {
  if (mapping === undefined) return [];
  const tokens = search.allTokens(search.analyzer(mapping.searchAnalyzer), query);
  const [first] = tokens;
  if (first === undefined) return [];
  if (tokens.length > MAX_CLAUSES) throw tooManyClauses();
  if (synonyms !== undefined) {
    requireSynonyms(synonyms, { path, key, mapping });
    return phraseOrSynonyms(tokens, { path, key, mapping }, slop, synonyms, search);
  }
  if (tokens.length === 1) return [new TermOperator(search, key, first.term, { mapping })];
  requirePositions({ path, mapping });
  const places = new Map<number, string[]>();
  for (const { term, position } of tokens) {
    places.set(position, [...(places.get(position) ?? []), term]);
  }
  const sources = [...places.values()].map((terms) =>
    eitherOf(
      search,
      terms.map((term) => termSpans(search, { key, mapping }, term)),
    ),
  );
  return [spanOperator(sloppy(search, sources, [...places.keys()], slop), search)];
}
