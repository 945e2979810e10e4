import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import type { FlatPoint } from './flat.ts';
import { readGeoJson, type Shapes } from './geojson.ts';
import { isComposite, isOnSphere, isPair, readPair, wrongGeometry } from './point.ts';
import { vectorAt } from './vector.ts';

/** A stored geometry: in the plane, on the sphere, or both. */
export interface StoredGeometry {
  /** The point in the plane; present for points only. */
  readonly flat?: FlatPoint;
  /** The geometry on the sphere; undefined for a pair that is not a longitude and a latitude. */
  readonly shapes?: Shapes;
}

/** Throws `BadValue` for an invalid geometry. */
export function readStored(value: Value, statement: Statement = unwatched): StoredGeometry {
  if (!isComposite(value)) throw wrongGeometry('geo element must be an array or object');
  if (isPair(value)) {
    const flat = readPair(value, true);
    if (!isOnSphere(flat)) return { flat };
    return { flat, shapes: { points: [vectorAt(flat.x, flat.y)], lines: [], polygons: [] } };
  }
  const { shapes, point, strict } = readGeoJson(documentOf(value), statement);
  // Polygons that may be larger than a hemisphere are allowed only in queries.
  if (strict) throw wrongGeometry('can only query with a polygon of strict winding order');
  return point === undefined ? { shapes } : { flat: point, shapes };
}

/** Like `readStored`, but returns undefined for an invalid geometry. */
export function storedGeometry(value: Value, statement: Statement = unwatched): StoredGeometry | undefined {
  if (!mayBeGeometry(value)) return undefined;
  try {
    return readStored(value, statement);
  } catch (error) {
    if (error instanceof ServerError) return undefined;
    throw error;
  }
}

/** Tests quickly, without the cost of an error. Returns false if the value is clearly not a geometry. */
function mayBeGeometry(value: Value): boolean {
  if (!isComposite(value)) return false;
  const first = documentOf(value).first();
  if (first === undefined) return false;
  return isNumber(first) || (value.type === bsonTypes.object && documentOf(value).has('type'));
}
