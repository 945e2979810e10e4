import { clipped } from '@portolan/foundation/clipped';
import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { describe, describeDocument } from '../../bson/describe.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { FlatPoint } from './flat.ts';

/** What every wrong geometry is answered with. */
export function wrongGeometry(message: string): ServerError {
  return new ServerError('BadValue', message);
}

/** A refused value in an error: one may have corners by the thousand, and the answer would be as large as it. */
export const shown = (value: Value) => clipped(describe(value));
export const shownDocument = (doc: RawDocument) => clipped(describeDocument(doc));

/** An array or a document; geometries are nothing else. */
export function isComposite(value: Value): boolean {
  return value.type === bsonTypes.object || value.type === bsonTypes.array;
}

/** A pair as an array or as a document of two numbers, whatever their names: not GeoJSON. */
export function isPair(value: Value): boolean {
  if (!isComposite(value)) return false;
  if (value.type === bsonTypes.array) return true;
  const first = documentOf(value).first();
  return first !== undefined && isNumber(first);
}

/** `[x, y]` or `{x: …, y: …}`; with `more` further fields do not matter. */
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
