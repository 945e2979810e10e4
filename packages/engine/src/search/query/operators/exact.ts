import { keys } from '../../mapping/field.ts';
import { searchError } from '../errors.ts';
import type { Operator, OperatorContext, OperatorTable } from '../operator.ts';
import { pathsLike, pathsOf, plainPath } from '../paths.ts';
import type { Spec } from '../spec.ts';
import { checkWhole, fieldOf, markEqual, marking, normalized, searchValue, searchValues } from './values.ts';

export const exactOperators: OperatorTable = {
  equals(spec, context) {
    const { search } = context;
    const path = plainPath(spec);
    const given = spec.raw('value');
    if (given === undefined) throw searchError(`"${spec.name('value')}" is required`);
    const value = searchValue(given, spec.name('value'));
    const omitted = readDoesNotAffect(spec, context);
    spec.finish();
    checkWhole(path, value.kind, search, 'equals');
    if (omitted !== undefined) return omitted;
    const wanted = normalized(path, value, search);
    return marking((segment, hits) => markEqual(segment, path, wanted, hits, false));
  },
  in(spec, context) {
    const { search } = context;
    const given = pathsOf(spec);
    const values = searchValues(spec.required('value'), spec.name('value'));
    const omitted = readDoesNotAffect(spec, context);
    spec.finish();
    const kind = values[0]?.kind ?? 'null';
    const paths = given.flatMap((one) => {
      if ('wildcard' in one) return pathsLike(one.wildcard, fieldOf(kind, ''), search);
      if (one.multi !== undefined) throw searchError(`"${spec.name('path')}" cannot have "multi"`);
      checkWhole(one.path, kind, search, 'in');
      return [one.path];
    });
    if (omitted !== undefined) return omitted;
    search.spend(paths.length * values.length);
    return marking((segment, hits) => {
      for (const path of paths)
        for (const value of values) markEqual(segment, path, normalized(path, value, search), hits, true);
    });
  },
  exists(spec) {
    const path = plainPath(spec);
    spec.finish();
    return marking((segment, hits) => {
      for (const doc of segment.postings(keys.exists, path)?.docs ?? []) hits.set(doc, 1);
    });
  },
};

/**
 * Reads the option `doesNotAffect`: the names of facets that an operator does not affect. If one of them is the facet
 * that is counted, returns an operator that matches all documents.
 */
export function readDoesNotAffect(
  spec: Spec,
  { search, facet, within }: OperatorContext,
): Operator | undefined {
  const names = spec.value('doesNotAffect') === undefined ? [] : spec.strings('doesNotAffect');
  for (const name of names) search.unaffected.add(name);
  if (facet === undefined || !names.includes(facet)) return undefined;
  return {
    ...marking((segment, { found }) => {
      found.set(search.domain(segment, within));
    }),
    omitted: true,
  };
}
