import { bsonTypes, isNumberType } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf } from '../../../bson/raw.ts';
import { passes, step } from '../../../bson/turns.ts';
import { int64Of, type Value } from '../../../bson/value.ts';
import { keys } from '../../mapping/field.ts';
import { columnOf, listsAt } from '../columns.ts';
import { searchError } from '../errors.ts';
import { distanceOnEarth, pointOf } from '../geo.ts';
import type { OperatorTable } from '../operator.ts';
import { plainPaths } from '../paths.ts';
import { marking } from './values.ts';

/** A value scores 1 at the origin and 0.5 at the distance `pivot` from it. */
export const nearOperators: OperatorTable = {
  near(spec, { search }) {
    const paths = plainPaths(spec);
    const origin = originOf(spec.required('origin'), spec.name('origin'));
    const pivot = spec.requiredNumber('pivot');
    spec.finish();
    if (!(pivot > 0)) throw searchError(`"${spec.name('pivot')}" must be positive`);
    if (origin.kind === 'point') {
      for (const path of paths) {
        if (search.plan !== undefined && search.mapping(path, 'geo') === undefined) {
          throw searchError(`"near" with a point requires path "${path}" to be indexed as geo`);
        }
      }
    }
    return marking((segment, hits) => {
      const score = (doc: number, distance: number) => {
        const own = pivot / (pivot + distance);
        if (hits.found[doc] === 0 || own > (hits.scores[doc] as number)) hits.set(doc, own);
      };
      for (const path of paths) {
        if (origin.kind === 'point') {
          const spans = segment.spans(keys.geo(path));
          spans?.spans.forEach((span, at) => {
            step();
            const distance = distanceOnEarth(span, origin);
            if (distance !== undefined) score(spans.docs[at] as number, distance);
          });
          continue;
        }
        const column = columnOf(segment, keys[origin.kind](path));
        const lists = listsAt(segment, path);
        passes(segment.size);
        for (let doc = 0; column !== undefined && doc < segment.size; doc++) {
          if (column.has(doc) && lists?.[doc] !== 1) score(doc, Math.abs(column.at(doc) - origin.number));
        }
      }
    });
  },
};

type Origin =
  | { readonly kind: 'number' | 'date'; readonly number: number }
  | { readonly kind: 'point'; readonly longitude: number; readonly latitude: number };

function originOf(value: Value, name: string): Origin {
  if (isNumberType(value.type) && value.type !== bsonTypes.decimal)
    return { kind: 'number', number: toNumber(value) };
  if (value.type === bsonTypes.date) return { kind: 'date', number: Number(int64Of(value)) };
  if (value.type === bsonTypes.object) return { kind: 'point', ...pointOf(documentOf(value), name) };
  throw searchError(`"${name}" must be a number, date, or point`);
}
