import { bsonTypes } from '../../../bson/bson-types.ts';
import type { Value } from '../../../bson/value.ts';
import type { Segment } from '../../file/segment.ts';
import { type Vector, vectorOf } from '../../mapping/vectors.ts';
import { searchError } from '../errors.ts';
import { Hits } from '../hits.ts';
import { checkVector, nearest } from '../nearest.ts';
import type { Operator, OperatorContext, OperatorTable } from '../operator.ts';
import type { Spec } from '../spec.ts';

export const vectorOperators: OperatorTable = {
  vectorSearch(spec, context) {
    const path = spec.requiredString('path');
    const vector = readVector(spec.required('queryVector'), spec.name('queryVector'));
    const limit = spec.requiredInt('limit', { min: 1 });
    const exact = spec.bool('exact') ?? false;
    checkCandidates(spec, exact, limit);
    const filter = spec.document('filter');
    const operator = filter && context.compile(filter);
    spec.finish();
    return vectorOperator(path, vector, limit, operator, spec, context);
  },
  knnBeta(spec, context) {
    const path = spec.requiredString('path');
    const vector = readVector(spec.required('vector'), spec.name('vector'));
    const k = spec.requiredInt('k', { min: 1 });
    const filter = spec.document('filter');
    const operator = filter && context.compile(filter);
    spec.finish();
    return vectorOperator(path, vector, k, operator, spec, context);
  },
};

const MAX_CANDIDATES = 10_000;

/** Validates the number of candidates. It has no other effect, because all vectors are compared. */
export function checkCandidates(spec: Spec, exact: boolean, limit: number): void {
  const candidates = spec.int('numCandidates', { min: 1, max: MAX_CANDIDATES });
  if (exact && candidates !== undefined)
    throw searchError(`"${spec.name('numCandidates')}" cannot be set with "exact"`);
  if (exact) return;
  if (candidates === undefined) throw searchError(`"${spec.name('numCandidates')}" is required`);
  if (candidates < limit)
    throw searchError(`"${spec.name('numCandidates')}" must be greater than or equal to "limit"`);
}

export function readVector(value: Value, name: string): Vector {
  if (value.type !== bsonTypes.array && value.type !== bsonTypes.binData) {
    throw searchError(`"${name}" must be an array of numbers or a vector`);
  }
  const vector = vectorOf(value);
  if (vector === undefined) throw searchError(`"${name}" must be an array of numbers or a vector`);
  return vector;
}

function vectorOperator(
  path: string,
  vector: Vector,
  limit: number,
  filter: Operator | undefined,
  spec: Spec,
  { search, within }: OperatorContext,
): Operator {
  if (vector.values.length === 0) throw searchError(`"${spec.at}" cannot have an empty vector`);
  const mapping = search.mapping(path, 'vector')?.vector;
  if (search.plan !== undefined && mapping === undefined) {
    throw searchError(`"${spec.at}" requires path "${path}" to be indexed as vector`);
  }
  if (mapping === undefined) return { hits: ({ size }) => new Hits(size) };
  checkVector(vector, mapping, spec.at);
  let found: ReadonlyMap<Segment, Hits> | undefined;
  return {
    searchedTerms: filter?.searchedTerms,
    hits(segment) {
      found ??= nearest(
        search.segments,
        { path, vector, mapping, limit },
        (one) => {
          const allowed = search.domain(one, within);
          if (filter === undefined) return allowed;
          const hits = filter.hits(one);
          hits.keep(allowed);
          return hits.found;
        },
        search.check,
      );
      const own = found.get(segment);
      const hits = new Hits(segment.size);
      if (own !== undefined) hits.addAll(own);
      return hits;
    },
  };
}
