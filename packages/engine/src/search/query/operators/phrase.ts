import { searchError } from '../errors.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import type { TextField } from '../paths.ts';
import { pathsOf, textFields } from '../paths.ts';
import type { Searching, SynonymSource } from '../searching.ts';
import { eitherOf, sloppy, spanOperator, termSpans } from '../spans.ts';
import { anyOf, MAX_CLAUSES, TermOperator, tooManyClauses } from '../terms.ts';

export const phraseOperators: OperatorTable = {
  phrase(spec, { search }) {
    const queries = spec.strings('query');
    for (const query of queries)
      if (query === '') throw searchError(`"${spec.name('query')}" cannot be empty`);
    const paths = pathsOf(spec);
    const slop = spec.int('slop', { min: 0 }) ?? 0;
    const name = spec.string('synonyms');
    spec.finish();
    const synonyms = name === undefined || search.plan === undefined ? undefined : search.synonyms(name);
    if (name !== undefined && search.plan !== undefined && synonyms === undefined) {
      throw searchError(`Synonym mapping "${name}" is not defined`);
    }
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
  if (tokens.length === 1 && synonyms === undefined)
    return [new TermOperator(search, key, first.term, { mapping })];
  if (tokens.length > MAX_CLAUSES) throw tooManyClauses();
  requirePositions({ path, mapping });
  const places = new Map<number, string[]>();
  for (const { term, position } of tokens) {
    places.set(position, [...(places.get(position) ?? []), term, ...(synonyms?.of(term) ?? [])]);
  }
  const sources = [...places.values()].map((terms) =>
    eitherOf(
      search,
      terms.map((term) => termSpans(search, key, term)),
    ),
  );
  return [spanOperator(sloppy(search, sources, [...places.keys()], slop), search)];
}

/** Throws if the field stores no positions. */
export function requirePositions({ path, mapping }: Pick<TextField, 'mapping' | 'path'>): void {
  if (mapping?.positions !== false) return;
  throw searchError(`"${path}" requires "indexOptions" to be positions or offsets`);
}
