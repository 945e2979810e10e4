import { clipped } from '@portolan/foundation/clipped';
import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { describeBriefly } from '../../bson/describe.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { FlatPoint } from './flat.ts';

/** Returns the error for an invalid geometry. */
export function wrongGeometry(message: string): ServerError {
  return new ServerError('BadValue', message);
}

/** Number of characters of a value that a message shows. `clipped` has the same limit. */
const SHOWN = 1000;

/** Prints an invalid value for an error message, clipped because a geometry may have thousands of vertices. */
export const shown = (value: Value) => clipped(describeBriefly(value, SHOWN));
export const shownDocument = (doc: RawDocument) => shown(doc.toValue());

/** True for arrays and documents, the only types that a geometry can have. */
export function isComposite(value: Value): boolean {
  return value.type === bsonTypes.object || value.type === bsonTypes.array;
}

/** True for a coordinate pair: an array, or a document that begins with a number. False for GeoJSON. */
export function isPair(value: Value): boolean {
  if (!isComposite(value)) return false;
  if (value.type === bsonTypes.array) return true;
  const first = documentOf(value).first();
  return first !== undefined && isNumber(first);
}

/** Reads `[x, y]` or `{x: …, y: …}`. `more` permits further fields. */
export function readPair(value: Value, more = false): FlatPoint {
  if (!isComposite(value)) {
    throw wrongGeometry(`Point must be an array or object, instead got type ${typeName(value.type)}`);
  }
  const fields = documentOf(value);
  const x = fields.first();
  const y = x && fields.after(x);
  const point = { x: coordinate(x), y: coordinate(y) };
  if (!more && y !== undefined && fields.after(y) !== undefined) {
    throw wrongGeometry('Point must only contain two numeric elements');
  }
  if (Number.isFinite(point.x) && Number.isFinite(point.y)) return point;
  throw wrongGeometry('Point coordinates must be finite numbers');
}

function coordinate(value: Value | undefined): number {
  if (value !== undefined && isNumber(value)) return toNumber(value);
  throw wrongGeometry(`Point must only contain numeric elements, instead got type ${typeName(value?.type)}`);
}

export function isOnSphere({ x, y }: FlatPoint): boolean {
  return Math.abs(x) <= 180 && Math.abs(y) <= 90;
}

export function onSphere(point: FlatPoint): FlatPoint {
  if (isOnSphere(point)) return point;
  throw wrongGeometry(`longitude/latitude is out of bounds, lng: ${point.x} lat: ${point.y}`);
}
