import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { distanceBetween, type FlatPoint } from './flat.ts';
import { readGeoJson } from './geojson.ts';
import { isComposite, isPair, onSphere, readPair, shown, wrongGeometry } from './point.ts';
import type { StoredGeometry } from './stored.ts';
import { angleBetween, angleToLine, type Vector, vectorAt } from './vector.ts';

/** The earth's radius in metres, which converts angles to distances. */
export const EARTH = 6_378_100;

/** A `$near` condition: a point and the range of distances from it. */
export interface Near {
  readonly center: FlatPoint;
  /** True if the point was GeoJSON: then distances are in metres rather than in radians or units of the plane. */
  readonly geojson: boolean;
  readonly spherical: boolean;
  readonly least: number;
  readonly most: number;
}

const operators: ReadonlySet<string> = new Set(['$near', '$nearSphere', '$geoNear']);

/** True if the operator sorts documents by distance. */
export function isNear(operator: string): boolean {
  return operators.has(operator);
}

/** Parses `$near` or a similar operator. `spec` contains the operator and the distances next to it. */
export function readNear(spec: RawDocument): Near {
  const near = readLegacy(spec) ?? readNew(spec);
  if (near.spherical) onSphere(near.center);
  return near;
}

/** Parses `{$near: [x, y], $maxDistance: …}`. Returns undefined if the operand is not a point. */
function readLegacy(spec: RawDocument): Near | undefined {
  let found: Pick<Near, 'center' | 'geojson' | 'spherical' | 'most'> | undefined;
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const element of spec) {
    const { name } = element;
    if (isNear(name)) {
      if (!isComposite(element)) return undefined;
      found = readCenter(element);
    } else if (name === '$minDistance') least = legacyDistance(element, 16893, 16894);
    else if (name === '$maxDistance') most = legacyDistance(element, 16895, 16896);
    else if (name !== '$uniqueDocs') {
      throw new ServerError(34413, `invalid argument in geo near query: ${name}`);
    }
  }
  return found && { ...found, least, most: Math.min(most, found.most) };
}

function legacyDistance(value: Element, notNumber: number, negative: number): number {
  if (!isNumber(value)) throw new ServerError(notNumber, `${value.name} must be a number`);
  const distance = toNumber(value);
  if (distance >= 0) return distance;
  throw new ServerError(negative, `${value.name} must be non-negative`);
}

function readCenter(element: Element) {
  const sphere = element.name === '$nearSphere';
  const limited = element.type === bsonTypes.array && entriesOf(element).length === 3;
  const point = limited ? undefined : queryPoint(element);
  if (point !== undefined) {
    return { ...point, spherical: point.geojson || sphere, most: Number.POSITIVE_INFINITY };
  }
  const entries = entriesOf(element);
  if (!limited || !entries.every(isNumber)) return undefined;
  const [x, y, most] = entries.map(toNumber) as [number, number, number];
  if (!(most >= 0)) throw new ServerError(18522, 'max distance must be non-negative');
  return { center: { x, y }, geojson: false, spherical: sphere, most };
}

/** Reads a point, as a pair or as GeoJSON. Returns undefined for anything else. */
function queryPoint(value: Value): Pick<Near, 'center' | 'geojson'> | undefined {
  try {
    return readQueryPoint(value);
  } catch (error) {
    if (error instanceof ServerError) return undefined;
    throw error;
  }
}

export function readQueryPoint(value: Value): Pick<Near, 'center' | 'geojson'> {
  if (isPair(value)) return { center: readPair(value), geojson: false };
  if (!isComposite(value)) throw wrongGeometry('Point must be an array or object');
  const doc = documentOf(value);
  const coordinates = doc.get('coordinates');
  // Unlike elsewhere, `coordinates` without a `type` are accepted as a point.
  if (coordinates !== undefined && !doc.has('type')) {
    return { center: onSphere(readPair(coordinates, true)), geojson: true };
  }
  const { point } = readGeoJson(doc);
  if (point === undefined) throw wrongGeometry(`unknown GeoJSON type: ${shown(value)}`);
  return { center: point, geojson: true };
}

/** Parses `{$near: {$geometry: …, $maxDistance: …}}`. */
function readNew(spec: RawDocument): Near {
  const operator = spec.first();
  if (operator === undefined) throw wrongGeometry('empty geo near query object');
  const extra = spec.after(operator);
  if (extra !== undefined) {
    throw wrongGeometry(
      `geo near accepts just one argument when querying for a GeoJSON point. Extra field found: ${extra.name}`,
    );
  }
  if (!isComposite(operator)) throw wrongGeometry('geo near query argument is not an object');
  let point: Pick<Near, 'center' | 'geojson'> | undefined;
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const element of documentOf(operator)) {
    const { name } = element;
    if (name === '$geometry') point = isComposite(element) ? readQueryPoint(element) : undefined;
    else if (name === '$minDistance') least = newDistance(element);
    else if (name === '$maxDistance') most = newDistance(element);
    else throw wrongGeometry(`invalid argument in geo near query: ${name}`);
  }
  if (point === undefined) throw wrongGeometry('$geometry is required for geo near query');
  if (!point.geojson) {
    throw new ServerError(16681, `$near requires geojson point, given ${shown(operator)}`);
  }
  return { ...point, spherical: true, least, most };
}

function newDistance(value: Element): number {
  const distance = isNumber(value) ? toNumber(value) : Number.NaN;
  if (distance >= 0 && Number.isFinite(distance)) return distance;
  throw wrongGeometry(`${value.name} must be a non-negative finite number`);
}

/**
 * Returns the distance to a geometry, either in the plane or on the sphere, depending on the condition. The
 * result is undefined if the geometry does not exist in that space.
 */
export type DistanceTo = (geometry: StoredGeometry) => number | undefined;

export function distanceFrom({ center, geojson, spherical }: Near, statement: Statement): DistanceTo {
  if (!spherical) return ({ flat }) => flat && distanceBetween(center, flat);
  const place = vectorAt(center.x, center.y);
  const unit = geojson ? EARTH : 1;
  return (geometry) => {
    const angle = angleTo(place, geometry, statement);
    return angle === undefined ? undefined : angle * unit;
  };
}

function angleTo(place: Vector, { shapes }: StoredGeometry, statement: Statement): number | undefined {
  if (shapes === undefined) return undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const point of shapes.points) least = Math.min(least, angleBetween(place, point));
  for (const line of shapes.lines) least = Math.min(least, angleToLine(place, line, false, statement));
  for (const polygon of shapes.polygons) least = Math.min(least, polygon.angleTo(place));
  return least;
}

/** True if a geographic index of this kind can answer the condition. */
export function supportsNear(kind: string, { geojson, spherical }: Near): boolean {
  return kind === '2dsphere' ? spherical : kind === '2d' && !geojson;
}

/** Returns the kind of a special index at a path, such as `2d`. Returns undefined for an ordinary key or none. */
export function kindAt(spec: RawDocument, path: string): string | undefined {
  const part = spec.document('key')?.get(path);
  return part?.type === bsonTypes.string ? textOf(part) : undefined;
}
