import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { step, steps } from '../../bson/turns.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import type { FlatPoint } from './flat.ts';
import { isComposite, onSphere, readPair, shown, shownDocument, wrongGeometry } from './point.ts';
import { Ring, SpherePolygon } from './sphere-polygon.ts';
import { type Line, same, type Vector, vectorAt } from './vector.ts';

/** A spherical geometry of any type, decomposed into points, lines and polygons. */
export interface Shapes {
  readonly points: readonly Vector[];
  readonly lines: readonly Line[];
  readonly polygons: readonly SpherePolygon[];
}

/** A parsed GeoJSON geometry. */
export interface GeoJson {
  readonly shapes: Shapes;
  /** The coordinates of a single point. */
  readonly point?: FlatPoint;
  /** True if the polygon is the area to the left of its ring, however large. */
  readonly strict?: boolean;
}

const nothing: Shapes = { points: [], lines: [], polygons: [] };

/** Throws `BadValue` if the document is not a geometry. */
export function readGeoJson(doc: RawDocument, statement: Statement = unwatched): GeoJson {
  const type = doc.get('type');
  if (type?.type !== bsonTypes.string) throw unknownType(doc);
  const name = textOf(type);
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (read === undefined) throw unknownType(doc);
  const strict = isStrict(doc.get('crs'));
  if (strict && name !== 'Polygon') {
    throw wrongGeometry('Strict winding order is only supported by polygon');
  }
  return read(doc, strict, statement);
}

function unknownType(doc: RawDocument) {
  return wrongGeometry(`unknown GeoJSON type: ${shownDocument(doc)}`);
}

type Reader = (doc: RawDocument, strict: boolean, statement: Statement) => GeoJson;

const readers: Readonly<Record<string, Reader>> = {
  Point: (doc) => {
    const point = onSphere(readPair(coordinatesOf(doc), true));
    return { shapes: { ...nothing, points: [vectorAt(point.x, point.y)] }, point };
  },
  LineString: (doc, _, statement) => ({
    shapes: { ...nothing, lines: [readLine(coordinatesOf(doc), statement)] },
  }),
  Polygon: (doc, strict, statement) => ({
    shapes: { ...nothing, polygons: [readPolygon(coordinatesOf(doc), strict, statement)] },
    strict,
  }),
  MultiPoint: (doc, _, statement) => ({
    shapes: { ...nothing, points: several(doc, 'MultiPoint', readPlace, statement) },
  }),
  MultiLineString: (doc, _, statement) => ({
    shapes: { ...nothing, lines: several(doc, 'MultiLineString', readLine, statement) },
  }),
  MultiPolygon: (doc, _, statement) => ({
    shapes: {
      ...nothing,
      polygons: several(doc, 'MultiPolygon', (value) => readPolygon(value, false, statement), statement),
    },
  }),
  GeometryCollection: readCollection,
};

function readCollection(doc: RawDocument, _: boolean, statement: Statement): GeoJson {
  const geometries = doc.get('geometries');
  if (geometries?.type !== bsonTypes.array) {
    throw wrongGeometry('GeometryCollection geometries must be an array');
  }
  const parts = entriesOf(geometries).map((entry) => {
    if (entry.type !== bsonTypes.object) {
      throw wrongGeometry(`Element is not an object: ${shown(entry)}`);
    }
    const inner = documentOf(entry);
    const type = inner.get('type');
    if (type?.type === bsonTypes.string && textOf(type) === 'GeometryCollection') {
      throw wrongGeometry('GeometryCollections cannot be nested');
    }
    return readGeoJson(inner, statement).shapes;
  });
  if (parts.length === 0) throw wrongGeometry('GeometryCollection geometries must have at least 1 element');
  return {
    shapes: {
      points: parts.flatMap(({ points }) => points),
      lines: parts.flatMap(({ lines }) => lines),
      polygons: parts.flatMap(({ polygons }) => polygons),
    },
  };
}

function coordinatesOf(doc: RawDocument): Value {
  const value = doc.get('coordinates');
  if (value !== undefined && isComposite(value)) return value;
  throw wrongGeometry(`Point must be an array or object, instead got type ${typeName(value?.type)}`);
}

function several<T>(
  doc: RawDocument,
  type: string,
  read: (value: Value, statement: Statement) => T,
  statement: Statement,
): T[] {
  const value = doc.get('coordinates');
  if (value?.type !== bsonTypes.array) throw wrongGeometry(`${type} coordinates must be an array`);
  const parts = entriesOf(value).map((entry) => {
    statement.check();
    return read(entry, statement);
  });
  if (parts.length === 0) throw wrongGeometry(`${type} coordinates must have at least 1 element`);
  return parts;
}

function readPlace(value: Value): Vector {
  const { x, y } = onSphere(readPair(value, true));
  return vectorAt(x, y);
}

function readPlaces(value: Value, statement: Statement): Vector[] {
  if (value.type !== bsonTypes.array) {
    throw wrongGeometry(
      `GeoJSON coordinates must be an array of coordinates, instead got type ${typeName(value.type)}`,
    );
  }
  return entriesOf(value).map((entry) => {
    statement.check();
    return readPlace(entry);
  });
}

/** Drops vertices that repeat their predecessor. */
function distinct(places: readonly Vector[]): Vector[] {
  return places.filter((place, i) => {
    step();
    return i === 0 || !same(place, places[i - 1] as Vector);
  });
}

function readLine(value: Value, statement: Statement): Line {
  const line = distinct(readPlaces(value, statement));
  if (line.length >= 2) return line;
  throw wrongGeometry(`GeoJSON LineString must have at least 2 vertices: ${shown(value)}`);
}

function readPolygon(value: Value, strict: boolean, statement: Statement): SpherePolygon {
  if (value.type !== bsonTypes.array) {
    throw wrongGeometry(`Polygon coordinates must be an array, instead got type ${typeName(value.type)}`);
  }
  const rings = entriesOf(value).map((entry) => readRing(entry, strict, statement));
  const [outer, ...holes] = rings;
  if (outer === undefined) throw wrongGeometry(`Polygon has no loops: ${shown(value)}`);
  if (strict && holes.length > 0) {
    throw wrongGeometry(`Only one simple loop is allowed in a big polygon: ${shown(value)}`);
  }
  holes.forEach((hole, i) => {
    statement.checkNow();
    const meets = (other: Ring) => {
      statement.checkNow();
      return other.intersects(hole);
    };
    if (outer.containsRing(hole) && !sharesSeveral(outer, hole) && !holes.slice(0, i).some(meets)) return;
    throw wrongGeometry(
      'Secondary loops not contained by first exterior loop - secondary loops must be holes: ' +
        `${shown(entriesOf(value)[i + 1] as Value)} first loop: ${shown(entriesOf(value)[0] as Value)}`,
    );
  });
  return new SpherePolygon(outer, holes, statement);
}

function readRing(value: Value, strict: boolean, statement: Statement): Ring {
  const places = readPlaces(value, statement);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) {
    throw wrongGeometry(`Loop has no vertices: ${shown(value)}`);
  }
  if (!same(first, last)) throw wrongGeometry(`Loop is not closed: ${shown(value)}`);
  const line = distinct(places).slice(0, -1);
  if (line.length < 3) {
    throw wrongGeometry(`Loop must have at least 3 different vertices: ${shown(value)}`);
  }
  if (holdsTwice(line)) {
    throw wrongGeometry(`Loop is not valid: ${shown(value)} Duplicate vertices`);
  }
  const ring = new Ring(line, strict, statement);
  if (ring.crossesItself) {
    throw wrongGeometry(`Loop is not valid: ${shown(value)} Edges cross each other`);
  }
  return ring;
}

/** The cost of printing and storing a vertex, in steps. */
const VERTEX_STEPS = 16;

function holdsTwice(line: readonly Vector[]): boolean {
  const known = new Set<string>();
  return line.some((vertex) => known.size === known.add(nameOf(vertex)).size);
}

/** True if two rings share more than one vertex. */
function sharesSeveral(one: Ring, other: Ring): boolean {
  const names = new Set(one.line.map(nameOf));
  return other.line.filter((vertex) => names.has(nameOf(vertex))).length > 1;
}

function nameOf({ x, y, z }: Vector): string {
  steps(VERTEX_STEPS);
  return `${x} ${y} ${z}`;
}

const STRICT = 'urn:x-mongodb:crs:strictwinding:EPSG:4326';
const known: ReadonlySet<string> = new Set(['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326', STRICT]);

/** True for the coordinate reference system in which the winding order decides which side of a ring is inside. */
function isStrict(crs: Value | undefined): boolean {
  if (crs === undefined) return false;
  if (crs.type !== bsonTypes.object) throw wrongGeometry('GeoJSON CRS must be an object');
  const type = documentOf(crs).get('type');
  if (type?.type !== bsonTypes.string || textOf(type) !== 'name') {
    throw wrongGeometry('GeoJSON CRS must have field "type": "name"');
  }
  const properties = documentOf(crs).get('properties');
  if (properties?.type !== bsonTypes.object) {
    throw wrongGeometry('CRS must have field "properties" which is an object');
  }
  const name = documentOf(properties).get('name');
  if (name?.type !== bsonTypes.string) {
    throw wrongGeometry('In CRS, "properties.name" must be a string');
  }
  const text = textOf(name);
  if (!known.has(text)) throw wrongGeometry(`Unknown CRS name: ${text}`);
  return text === STRICT;
}
