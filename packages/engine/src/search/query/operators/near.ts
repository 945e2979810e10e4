import { bsonTypes, isNumberType } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf } from '../../../bson/raw.ts';
import { passes, steps } from '../../../bson/turns.ts';
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

/** The operator `near`. A value scores 1 at the origin and 0.5 at the distance `pivot` from it. */
export const nearOperators: OperatorTable = {
  near(spec, { search }) {
    const paths = plainPaths(spec);
    const origin = originOf(spec.required('origin'), spec.name('origin'));
    const pivot = spec.requiredNumber('pivot', { above: 0 });
    spec.finish();
    if (origin.kind === 'point') {
      for (const path of paths) {
        if (search.plan !== undefined && search.mapping(path, 'geo') === undefined) {
          throw searchError(`"near" with a point requires path "${path}" to be indexed as geo`);
        }
      }
    }
    const score = (distance: number) => pivot / (pivot + distance);
    return {
      ...marking((segment, { found, scores }) => {
        everyDistance(segment, paths, origin, undefined, (doc, distance) => {
          // The nearest value has the highest score.
          scores[doc] = found[doc] === 1 ? Math.max(scores[doc] as number, score(distance)) : score(distance);
          found[doc] = 1;
        });
      }),
      explain(segment, doc) {
        const found = nearestOf(segment, paths, origin, doc);
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

/** The number of steps that reading a point and its distance takes. */
const DISTANCE = 64;

type Offer = (doc: number, distance: number, value: number) => void;

interface Near {
  readonly distance: number;
  readonly value: number;
}

/** Returns the nearest value of a document. */
function nearestOf(
  segment: Segment,
  paths: readonly string[],
  origin: Origin,
  wanted: number,
): Near | undefined {
  let nearest: Near | undefined;
  everyDistance(segment, paths, origin, wanted, (_, distance, value) => {
    if (nearest === undefined || distance < nearest.distance) nearest = { distance, value };
  });
  return nearest;
}

/**
 * Calls `offer` for each value of a document, or of all documents if `wanted` is undefined. Arrays of numbers and dates
 * are ignored.
 */
function everyDistance(
  segment: Segment,
  paths: readonly string[],
  origin: Origin,
  wanted: number | undefined,
  offer: Offer,
): void {
  for (const path of paths) {
    if (origin.kind === 'point') {
      const spans = segment.spans(keys.geo(path));
      passes(spans?.docs.length ?? 0);
      spans?.docs.forEach((doc, at) => {
        if (wanted !== undefined && doc !== wanted) return;
        steps(DISTANCE);
        const distance = distanceOnEarth(spans.spans[at] as Uint8Array, origin);
        if (distance !== undefined) offer(doc, distance, distance);
      });
      continue;
    }
    if (wanted === undefined) offerColumn(segment, path, origin, offer);
    else offerOf(segment, path, origin, wanted, offer);
  }
}
function offerColumn(segment: Segment, path: string, origin: NumberOrigin, offer: Offer): void {
  const column = columnOf(segment, keys[origin.kind](path));
  const lists = listsAt(segment, path);
  passes(segment.size);
  for (let doc = 0; column !== undefined && doc < segment.size; doc++) {
    if (!column.has(doc) || lists?.[doc] === 1) continue;
    offer(doc, Math.abs(column.at(doc) - origin.number), column.at(doc));
  }
}

function offerOf(segment: Segment, path: string, origin: NumberOrigin, doc: number, offer: Offer): void {
  const points = segment.points(keys[origin.kind](path));
  const lists = segment.postings(keys.listed, path)?.docs;
  passes((points?.docs.length ?? 0) + (lists?.length ?? 0));
  const value = points?.values[points.docs.indexOf(doc)] ?? Number.NaN;
  if (Number.isNaN(value) || lists?.includes(doc) === true) return;
  offer(doc, Math.abs(value - origin.number), value);
}

interface NumberOrigin {
  readonly kind: 'number' | 'date';
  readonly number: number;
}

type Origin =
  | NumberOrigin
  | { readonly kind: 'point'; readonly longitude: number; readonly latitude: number };

function originOf(value: Value, name: string): Origin {
  if (isNumberType(value.type) && value.type !== bsonTypes.decimal)
    return { kind: 'number', number: toNumber(value) };
  if (value.type === bsonTypes.date) return { kind: 'date', number: Number(int64Of(value)) };
  if (value.type === bsonTypes.object) return { kind: 'point', ...pointOf(documentOf(value), name) };
  throw searchError(`"${name}" must be a number, date, or point`);
}
