import type { Segment } from '../../file/segment.ts';
import { searchError } from '../errors.ts';
import { explained } from '../explain-term.ts';
import { Hits, ScoreSums } from '../hits.ts';
import type { Explanation, Operator, OperatorTable } from '../operator.ts';
import type { Spec } from '../spec.ts';
import { anyOf, MAX_CLAUSES, sumOf, sumOfDetails, tooManyClauses } from '../terms.ts';
import { readDoesNotAffect } from './exact.ts';

export interface Clauses {
  readonly must?: readonly Operator[];
  readonly should?: readonly Operator[];
  readonly mustNot?: readonly Operator[];
  readonly filter?: readonly Operator[];
  /** The number of `should` clauses that must match. */
  readonly least?: number;
  /** Returns all documents; present if there are only `mustNot` clauses. */
  readonly all?: (segment: Segment) => Uint8Array;
}

export const compoundOperators: OperatorTable = {
  compound(spec, context) {
    let count = 0;
    const clauses = (name: string) =>
      spec.documents(name)?.map((clause) => {
        if (++count > MAX_CLAUSES) throw tooManyClauses();
        return context.compile(clause);
      });
    const [must, should, mustNot, filter] = ['must', 'should', 'mustNot', 'filter'].map(clauses);
    if (must === undefined && should === undefined && mustNot === undefined && filter === undefined) {
      throw searchError(`"${spec.at}" must have at least one of [must, should, mustNot, filter]`);
    }
    const least = minimum(spec, should?.length ?? 0);
    const omitted = readDoesNotAffect(spec, context);
    spec.finish();
    if (omitted !== undefined) return omitted;
    const { search, within } = context;
    const kept = (list: Operator[] = []) => list.filter((one) => one.omitted !== true);
    const optional = kept(should);
    return compileCompound({
      must: kept(must),
      should: optional,
      mustNot: kept(mustNot),
      filter: kept(filter),
      least: Math.min(least, optional.length),
      all: (segment) => search.domain(segment, within),
    });
  },
};

function minimum(spec: Spec, count: number): number {
  const least = spec.int('minimumShouldMatch', { min: 0 }) ?? 0;
  if (least > count) {
    throw searchError(
      `"${spec.name('minimumShouldMatch')}" cannot be greater than the number of should clauses`,
    );
  }
  return least;
}

export function compileCompound({
  must = [],
  should = [],
  mustNot = [],
  filter = [],
  least = 0,
  all,
}: Clauses): Operator {
  const required = [...must, ...filter];
  // If there are no required clauses, at least one `should` clause must match.
  const wanted = required.length === 0 && should.length > 0 ? Math.max(1, least) : least;
  return {
    searchedTerms: [...must, ...should, ...filter].flatMap(({ searchedTerms }) => searchedTerms ?? []),
    hits(segment) {
      const hits =
        required.length === 0 && should.length === 0
          ? whole(segment, all)
          : scored(segment, must, should, filter, wanted);
      for (const operator of mustNot) hits.without(operator.hits(segment).found);
      return hits;
    },
    explain: (segment, doc) => explainClauses({ must, should, filter }, segment, doc),
  };
}

/** Explains a score: the sum of the scores of `must` and `should`. Clauses of `filter` contribute nothing. */
function explainClauses(
  { must, should, filter }: Required<Pick<Clauses, 'filter' | 'must' | 'should'>>,
  segment: Segment,
  doc: number,
): Explanation {
  const filters = filter.map((one) =>
    explained(0, 'match on required clause, product of:', [
      explained(0, '# clause'),
      explained(1, one.query ?? 'ConstantScore'),
    ]),
  );
  const sums = [must, should]
    .map((all) => sumOf(all, segment, doc))
    .filter(({ details }) => details.length > 0);
  return sumOfDetails([...filters, ...sums]);
}

function whole(segment: Segment, all: Clauses['all']): Hits {
  const hits = new Hits(segment.size);
  if (all !== undefined) hits.found.set(all(segment));
  return hits;
}

/** Returns the documents that match all operators, with the sums of the scores. */
function allOf(operators: readonly Operator[], segment: Segment): Hits {
  const [only] = operators;
  if (operators.length === 1 && only !== undefined) return only.hits(segment);
  const sums = new ScoreSums(segment.size);
  let common: Hits | undefined;
  for (const operator of operators) {
    const own = operator.hits(segment);
    sums.addAll(own);
    if (common === undefined) common = own;
    else common.keep(own.found);
  }
  const hits = sums.toHits();
  if (common !== undefined) hits.keep(common.found);
  return hits;
}

function scored(
  segment: Segment,
  must: readonly Operator[],
  should: readonly Operator[],
  filter: readonly Operator[],
  least: number,
): Hits {
  let hits = must.length === 0 ? undefined : allOf(must, segment);
  for (const operator of filter) {
    const { found } = operator.hits(segment);
    if (hits === undefined) {
      hits = new Hits(segment.size);
      hits.found.set(found);
    } else hits.keep(found);
  }
  if (should.length === 0) return hits ?? new Hits(segment.size);
  const optional = anyOf(should, least).hits(segment);
  if (hits === undefined) return optional;
  const kept = hits.found.slice();
  hits.addAll(optional);
  hits.keep(kept);
  if (least > 0) hits.keep(optional.found);
  return hits;
}
