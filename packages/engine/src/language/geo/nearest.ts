import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { plannerError } from '../../errors/planner-error.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { type Path, someWholeAt } from '../paths.ts';
import { distanceFrom, kindAt, type Near, supportsNear } from './near.ts';
import { storedGeometry } from './stored.ts';

export interface NearestGeometry {
  readonly distance: number;
  /** The geometry of the document to which the distance was measured. */
  readonly location: Value;
}

/** Returns the nearest geometry of a document within the range, or undefined if there is none. */
export type FindNearest = (doc: RawDocument) => NearestGeometry | undefined;

export function nearestAt(path: Path, near: Near, statement: Statement): FindNearest {
  const distanceTo = distanceFrom(near, statement);
  return (doc) => {
    let best: NearestGeometry | undefined;
    const look = (location: Value): boolean => {
      statement.check();
      const geometry = storedGeometry(location, statement);
      const distance = geometry && distanceTo(geometry);
      if (distance !== undefined && (best === undefined || distance < best.distance)) {
        best = { distance, location };
      }
      return geometry !== undefined;
    };
    someWholeAt(path, doc, (value) => {
      if (value === undefined || look(value)) return false;
      if (value.type === bsonTypes.array) entriesOf(value).forEach(look);
      return false;
    });
    const found = best as NearestGeometry | undefined;
    return found !== undefined && found.distance >= near.least && found.distance <= near.most
      ? found
      : undefined;
  };
}

/** True if the index is hidden from the query planner. */
export function isHidden(spec: RawDocument): boolean {
  return spec.bool('hidden') === true;
}

/** Throws if no index of the collection can answer a near condition on the path. */
export function requireIndex(indexes: readonly RawDocument[], path: string, near: Near): void {
  const found = indexes.find((spec) => !isHidden(spec) && supportsNear(kindAt(spec, path) ?? '', near));
  if (found === undefined) {
    throw plannerError('unable to find index for $geoNear query');
  }
  if (kindAt(found, path) === '2d' && !near.spherical) checkRange(found, near);
}

/** Returns the coordinate range that a 2d index covers. */
export function rangeOf(spec: RawDocument): { readonly min: number; readonly max: number } {
  const [min, max] = [spec.get('min'), spec.get('max')];
  return {
    min: min !== undefined && isNumber(min) ? toNumber(min) : -180,
    max: max !== undefined && isNumber(max) ? toNumber(max) : 180,
  };
}

function checkRange(spec: RawDocument, { center: { x, y } }: Near): void {
  const { min, max } = rangeOf(spec);
  if (x >= min && x <= max && y >= min && y <= max) return;
  throw new ServerError(16433, `point not in interval of [ ${min}, ${max} ]`);
}
