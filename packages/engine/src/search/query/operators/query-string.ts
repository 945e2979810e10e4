import { searchError } from '../errors.ts';
import { expandFuzzy } from '../fuzzy.ts';
import { type LuceneClause, parseLucene } from '../lucene-syntax.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import { textFields } from '../paths.ts';
import { boostOf, rescored } from '../score.ts';
import type { Searching } from '../searching.ts';
import { anyOf, MAX_CLAUSES, nothing, TermOperator, tooManyClauses } from '../terms.ts';
import { compileCompound } from './compound.ts';
import { regexPattern, type TermPattern, termsLike, wildcardPattern } from './patterns.ts';
import { phraseIn } from './phrase.ts';

/** The name of the query in error messages. */
const NAME = 'queryString.query';
/** Maximum length of a query, sufficient for the maximum number of clauses. */
const MAX_LETTERS = 100_000;

export const queryStringOperators: OperatorTable = {
  queryString(spec, { search, within }) {
    const path = spec.requiredString('defaultPath');
    const query = spec.requiredString('query');
    spec.finish();
    if (query.length > MAX_LETTERS) throw tooManyClauses();
    const clause = parseLucene(query);
    if (clause === undefined)
      throw searchError(`"${spec.name('query')}" could not be parsed: ${query.slice(0, 100)}`);
    return compileClause(clause, path, search, within);
  },
};

function compileClause(
  clause: LuceneClause,
  path: string,
  search: Searching,
  within: string | undefined,
): Operator {
  switch (clause.kind) {
    case 'field':
      return compileClause(clause.inside, clause.path, search, within);
    case 'boolean': {
      const compile = (one: LuceneClause) => compileClause(one, path, search, within);
      return compileCompound({
        must: clause.must.map(compile),
        should: clause.should.map(compile),
        mustNot: clause.mustNot.map(compile),
        all: (segment) => search.domain(segment, within),
      });
    }
    case 'boost':
      return rescored(compileClause(clause.inside, path, search, within), boostOf(clause.boost));
    default:
      return leaf(clause, path, search);
  }
}

function leaf(
  clause: Exclude<LuceneClause, { kind: 'field' | 'boolean' | 'boost' }>,
  path: string,
  search: Searching,
): Operator {
  const [field] = textFields([{ path }], search);
  if (field === undefined) return nothing;
  if (clause.kind === 'phrase') return anyOf(phraseIn(clause.text, field, clause.slop, search));
  if (clause.kind === 'pattern')
    return termsLike(
      field,
      wildcardPattern(clause.text.toLowerCase(), NAME),
      clause.text.toLowerCase(),
      search,
    );
  if (clause.kind === 'regex') return termsLike(field, regexPattern(clause.text, NAME), clause.text, search);
  if (clause.kind === 'range')
    return termsLike(
      field,
      { pattern: rangePattern(clause), prefix: '', cost: 0, bounds: clause },
      rangeText(clause),
      search,
    );
  if (field.mapping === undefined) return nothing;
  const { mapping } = field;
  const tokens = search.allTokens(search.analyzer(mapping.searchAnalyzer), clause.text);
  if (tokens.length > MAX_CLAUSES) throw tooManyClauses();
  return anyOf(
    tokens.flatMap(({ term }) => {
      if (clause.edits === 0) return [new TermOperator(search, field.key, term, { mapping })];
      const fuzzy = { maxEdits: clause.edits, prefixLength: 0, maxExpansions: 50 };
      return expandFuzzy(term, field.key, fuzzy, search).map(
        ({ term: other, boost }) => new TermOperator(search, field.key, other, { boost, mapping }),
      );
    }),
  );
}

/** Tests terms between the bounds of a range. */
function rangePattern({
  low,
  high,
  lowIn,
  highIn,
}: Extract<LuceneClause, { kind: 'range' }>): TermPattern['pattern'] {
  return { test: (term) => (lowIn || term !== low) && (highIn || term !== high) };
}

function rangeText({
  low = '*',
  high = '*',
  lowIn,
  highIn,
}: Extract<LuceneClause, { kind: 'range' }>): string {
  return `${lowIn ? '[' : '{'}${low} TO ${high}${highIn ? ']' : '}'}`;
}
