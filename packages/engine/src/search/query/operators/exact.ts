import { keys } from '../../mapping/field.ts';
import { searchError } from '../errors.ts';
import type { OperatorTable } from '../operator.ts';
import { plainPath, plainPaths } from '../paths.ts';
import type { Spec } from '../spec.ts';
import { checkWhole, markEqual, marking, normalized, searchValue, searchValues } from './values.ts';

export const exactOperators: OperatorTable = {
  equals(spec, { search }) {
    const path = plainPath(spec);
    const given = spec.raw('value');
    if (given === undefined) throw searchError(`"${spec.name('value')}" is required`);
    const value = searchValue(given, spec.name('value'));
    readDoesNotAffect(spec);
    spec.finish();
    checkWhole(path, value.kind, search, 'equals');
    const wanted = normalized(path, value, search);
    return marking((segment, hits) => markEqual(segment, path, wanted, hits, false));
  },
  in(spec, { search }) {
    const paths = plainPaths(spec);
    const values = searchValues(spec.required('value'), spec.name('value'));
    readDoesNotAffect(spec);
    spec.finish();
    for (const path of paths) checkWhole(path, values[0]?.kind ?? 'null', search, 'in');
    return marking((segment, hits) => {
      for (const path of paths) {
        for (const value of values) markEqual(segment, path, normalized(path, value, search), hits, true);
      }
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

/** Reads the names of the facets that an operator does not affect. */
export function readDoesNotAffect(spec: Spec): void {
  if (spec.value('doesNotAffect') !== undefined) spec.strings('doesNotAffect');
}
