import { bsonTypes, isNumberType } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf } from '../../../bson/raw.ts';
import { passes, step } from '../../../bson/turns.ts';
import { int64Of, type Value } from '../../../bson/value.ts';
import type { Segment } from '../../file/segment.ts';
import { keys } from '../../mapping/field.ts';
import { columnOf, listsAt } from '../columns.ts';
import { searchError } from '../errors.ts';
import { explained } from '../explain-term.ts';
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
    const score = (distance: number) => pivot / (pivot + distance);
    const nearest = (segment: Segment) => nearestAt(segment, paths, origin);
    return {
      ...marking((segment, hits) => {
        for (const [doc, { distance }] of nearest(segment)) hits.set(doc, score(distance));
      }),
      explain(segment, doc) {
        const found = nearest(segment).get(doc);
        if (found === undefined || origin.kind === 'point')
          return explained(found ? score(found.distance) : 0, 'Distance score');
        const text =
          'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:';
        return explained(score(found.distance), text, [
          explained(1, 'weight'),
          explained(pivot, 'pivotDistance'),
          explained(origin.number, 'origin'),
          explained(found.value, 'current value'),
        ]);
      },
    };
  },
};

interface Near {
  readonly distance: number;
  readonly value: number;
}

/** Returns the nearest value of each document of a segment. Arrays of numbers and dates are ignored. */
function nearestAt(segment: Segment, paths: readonly string[], origin: Origin): ReadonlyMap<number, Near> {
  const found = new Map<number, Near>();
  const offer = (doc: number, distance: number, value: number) => {
    const before = found.get(doc);
    if (before === undefined || distance < before.distance) found.set(doc, { distance, value });
  };
  for (const path of paths) {
    if (origin.kind === 'point') {
      const spans = segment.spans(keys.geo(path));
      spans?.spans.forEach((span, at) => {
        step();
        const distance = distanceOnEarth(span, origin);
        if (distance !== undefined) offer(spans.docs[at] as number, distance, distance);
      });
      continue;
    }
    const column = columnOf(segment, keys[origin.kind](path));
    const lists = listsAt(segment, path);
    passes(segment.size);
    for (let doc = 0; column !== undefined && doc < segment.size; doc++) {
      if (!column.has(doc) || lists?.[doc] === 1) continue;
      offer(doc, Math.abs(column.at(doc) - origin.number), column.at(doc));
    }
  }
  return found;
}

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
