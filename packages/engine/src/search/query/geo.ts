import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { FlatPoint } from '../../language/geo/flat.ts';
import { type GeoJson, readGeoJson } from '../../language/geo/geojson.ts';
import { EARTH } from '../../language/geo/near.ts';
import { type StoredGeometry, storedGeometry } from '../../language/geo/stored.ts';
import { angleBetween, vectorAt } from '../../language/geo/vector.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import { searchError } from './errors.ts';

/**
 * Maximum size in bytes, enough for some fifty thousand vertices. Checking larger geometries for crossing
 * edges would take too long.
 */
const MAX_BYTES = 2 * 2 ** 20;

/** Maximum length in characters of a geometry error within a message. The error may contain the whole geometry. */
const MAX_ERROR_CHARACTERS = 1_000;

/** Reads the GeoJSON of a query. */
export function geometryOf(doc: RawDocument, name: string, statement?: Statement): GeoJson {
  if (doc.length > MAX_BYTES) throw searchError(`"${name}" is larger than ${MAX_BYTES} bytes`);
  try {
    return readGeoJson(doc, statement);
  } catch (error) {
    if (error instanceof ServerError)
      throw searchError(`"${name}" is not a valid geometry: ${error.message.slice(0, MAX_ERROR_CHARACTERS)}`);
    throw error;
  }
}

export interface EarthPoint {
  readonly longitude: number;
  readonly latitude: number;
}

export function pointOf(doc: RawDocument, name: string): EarthPoint {
  const { point } = geometryOf(doc, name);
  if (point === undefined) throw searchError(`"${name}" must be a point`);
  return { longitude: point.x, latitude: point.y };
}

export function flatOf({ longitude, latitude }: EarthPoint): FlatPoint {
  return { x: longitude, y: latitude };
}

/** Reads the geometry that a segment stores for a field. Returns undefined if the value is not a geometry. */
export function storedIn(span: Uint8Array, statement: Statement): StoredGeometry | undefined {
  return storedGeometry(new RawDocument(span).toValue(), statement);
}

/** Returns the distance to a stored point in metres, or undefined for other geometries. */
export function distanceOnEarth(span: Uint8Array, { longitude, latitude }: EarthPoint): number | undefined {
  // Other geometries can have a million vertices, which take seconds to read.
  const type = new RawDocument(span).string('type');
  if (type !== undefined && type !== 'Point') return undefined;
  const flat = storedIn(span, unwatched)?.flat;
  if (flat === undefined) return undefined;
  return angleBetween(vectorAt(flat.x, flat.y), vectorAt(longitude, latitude)) * EARTH;
}
