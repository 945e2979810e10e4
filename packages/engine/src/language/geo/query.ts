import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, type Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { box, circle, type FlatShape, flatPolygon } from './flat.ts';
import { type GeoJson, readGeoJson } from './geojson.ts';
import { isComposite, isPair, onSphere, readPair, shown, wrongGeometry } from './point.ts';
import { cap, type GeometryTest, intersecting, regionOf, withinFlat, withinRegions } from './region.ts';
import { vectorAt } from './vector.ts';

/** The operand of `$geoWithin` or `$geoIntersects`: a plane shape, a spherical cap, or GeoJSON. */
type Specified =
  | { readonly kind: 'flat'; readonly shape: FlatShape }
  | { readonly kind: 'sphere'; readonly test: GeometryTest }
  | { readonly kind: 'pair' }
  | { readonly kind: 'geojson'; readonly geometry: GeoJson };

/** Compiles `$geoWithin: operand` or `$geoIntersects: operand`. */
export function compileGeometryTest(
  operator: '$geoWithin' | '$geoIntersects',
  operand: Value,
  statement: Statement,
): GeometryTest {
  if (operand.type !== bsonTypes.object) throw wrongGeometry('geometry must be an object');
  let specified: Specified | undefined;
  for (const element of documentOf(operand)) {
    if (element.name === '$uniqueDocs') continue;
    if (specified !== undefined) throw wrongGeometry(`can't parse extra field: ${element.name}`);
    specified = readSpecifier(element, statement);
  }
  if (specified === undefined) throw wrongGeometry("geo query doesn't have any geometry");
  return operator === '$geoWithin' ? within(specified, operand) : intersects(specified, operand, statement);
}

function within(specified: Specified, operand: Value): GeometryTest {
  if (specified.kind === 'flat') return withinFlat(specified.shape);
  if (specified.kind === 'sphere') return specified.test;
  const polygons = specified.kind === 'pair' ? [] : specified.geometry.shapes.polygons;
  if (polygons.length === 0) {
    throw wrongGeometry(`$geoWithin not supported with provided geometry: ${shown(operand)}`);
  }
  return withinRegions(polygons.map(regionOf));
}

function intersects(specified: Specified, operand: Value, statement: Statement): GeometryTest {
  if (specified.kind === 'geojson') return intersecting(specified.geometry.shapes, statement);
  throw wrongGeometry(`$geoIntersect not supported with provided geometry: ${shown(operand)}`);
}

const specifiers: Readonly<Record<string, (operand: Element, statement: Statement) => Specified>> = {
  $box: (operand) => {
    // Like the server, ignores anything after the two corners.
    const [a, b] = entriesOf(operand);
    if (a === undefined || b === undefined) throw wrongGeometry('Box must have 2 points');
    return { kind: 'flat', shape: box(readPair(a), readPair(b)) };
  },
  $polygon: (operand, statement) => {
    const corners = compositesOf(operand).map((corner) => readPair(corner));
    if (corners.length < 3) throw wrongGeometry('Polygon must have at least 3 points');
    return { kind: 'flat', shape: flatPolygon(corners, statement) };
  },
  $center: (operand) => {
    const { center, radius } = readCircle(operand);
    return { kind: 'flat', shape: circle(center, radius) };
  },
  $centerSphere: (operand, statement) => {
    const { center, radius } = readCircle(operand);
    onSphere(center);
    return { kind: 'sphere', test: withinRegions([cap(vectorAt(center.x, center.y), radius, statement)]) };
  },
  $geometry: (operand, statement) => {
    if (!isPair(operand)) return { kind: 'geojson', geometry: readGeoJson(fieldsOf(operand), statement) };
    const { x, y } = onSphere(readPair(operand));
    const points = [vectorAt(x, y)];
    return { kind: 'geojson', geometry: { shapes: { points, lines: [], polygons: [] } } };
  },
};

function readSpecifier(element: Element, statement: Statement): Specified {
  const read = Object.hasOwn(specifiers, element.name) ? specifiers[element.name] : undefined;
  if (read === undefined || !isComposite(element)) {
    throw wrongGeometry(`unknown geo specifier: ${element.name}: ${shown(element)}`);
  }
  return read(element, statement);
}

function fieldsOf(operand: Value): RawDocument {
  if (isComposite(operand)) return documentOf(operand);
  throw wrongGeometry(`geometry must be an object, instead got type ${typeName(operand.type)}`);
}

function compositesOf(operand: Value): Value[] {
  return entriesOf(operand);
}

function readCircle(operand: Value): { readonly center: { x: number; y: number }; readonly radius: number } {
  const [at, size, extra] = entriesOf(operand);
  if (at === undefined) throw wrongGeometry('Point must be an array or object, instead got type missing');
  const center = readPair(at);
  if (size === undefined || !isNumber(size)) throw wrongGeometry('radius must be a non-negative number');
  const radius = toNumber(size);
  if (!(radius >= 0)) throw wrongGeometry('radius must be a non-negative number');
  if (extra !== undefined) throw wrongGeometry('Only 2 fields allowed for circular region');
  return { center, radius };
}
