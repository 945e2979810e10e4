import type { Statement } from '../../statement/statement.ts';
import type { FlatShape } from './flat.ts';
import type { Shapes } from './geojson.ts';
import { type SpherePolygon, TOUCHING } from './sphere-polygon.ts';
import type { StoredGeometry } from './stored.ts';
import { angleBetween, angleToLine, type Line, linesCross, type Vector } from './vector.ts';

/** A predicate on geometries. */
export type GeometryTest = (geometry: StoredGeometry) => boolean;

/** A region of the sphere that may contain whole geometries. */
export interface Region {
  containsPoint(place: Vector): boolean;
  containsLine(line: Line): boolean;
  containsPolygon(polygon: SpherePolygon): boolean;
}

export function withinFlat(shape: FlatShape): GeometryTest {
  return ({ flat }) => flat !== undefined && shape(flat);
}

export function regionOf(polygon: SpherePolygon): Region {
  return {
    // A point on the edge is within the polygon.
    containsPoint: (place) => polygon.touches(place),
    containsLine: (line) => polygon.containsLine(line),
    containsPolygon: (other) => polygon.containsPolygon(other),
  };
}

/** Returns the spherical cap of `radius` radians around a point. */
export function cap(center: Vector, radius: number, statement: Statement): Region {
  const contains = (place: Vector) => angleBetween(center, place) <= radius + Number.EPSILON;
  const opposite = { x: -center.x, y: -center.y, z: -center.z };
  // The line is inside the cap if none of its points is closer to the antipode of the center than the edge of the cap
  // is.
  const holds = (line: Line, closed: boolean) =>
    line.every(contains) && angleToLine(opposite, line, closed, statement) >= Math.PI - radius - 1e-15;
  return {
    containsPoint: contains,
    containsLine: (line) => holds(line, false),
    containsPolygon: (polygon) => holds(polygon.outer.line, true) && !polygon.contains(opposite),
  };
}

/** True if every part of the geometry lies in one of the regions. */
export function withinRegions(regions: readonly Region[]): GeometryTest {
  return ({ shapes }) => {
    if (shapes === undefined) return false;
    return (
      shapes.points.every((place) => regions.some((region) => region.containsPoint(place))) &&
      shapes.lines.every((line) => regions.some((region) => region.containsLine(line))) &&
      shapes.polygons.every((polygon) => regions.some((region) => region.containsPolygon(polygon)))
    );
  };
}

/** True if any part of the geometry intersects any part of `query`. */
export function intersecting(query: Shapes, statement: Statement): GeometryTest {
  return ({ shapes }) => {
    if (shapes === undefined) return false;
    return (
      shapes.points.some((place) => meetsPoint(query, place, statement)) ||
      shapes.lines.some((line) => meetsLine(query, line, statement)) ||
      shapes.polygons.some((polygon) => meetsPolygon(query, polygon))
    );
  };
}

function meetsPoint({ points, lines, polygons }: Shapes, place: Vector, statement: Statement): boolean {
  return (
    points.some((other) => {
      statement.check();
      return angleBetween(other, place) < TOUCHING;
    }) ||
    lines.some((line) => angleToLine(place, line, false, statement) < TOUCHING) ||
    polygons.some((polygon) => polygon.touches(place))
  );
}

function meetsLine({ points, lines, polygons }: Shapes, line: Line, statement: Statement): boolean {
  return (
    points.some((place) => angleToLine(place, line, false, statement) < TOUCHING) ||
    lines.some((other) => linesMeet(other, line, statement)) ||
    polygons.some((polygon) => polygon.intersectsLine(line))
  );
}

function linesMeet(a: Line, b: Line, statement: Statement): boolean {
  return (
    linesCross({ line: a, closed: false }, { line: b, closed: false }, statement) ||
    a.some((place) => angleToLine(place, b, false, statement) < TOUCHING) ||
    b.some((place) => angleToLine(place, a, false, statement) < TOUCHING)
  );
}

function meetsPolygon({ points, lines, polygons }: Shapes, polygon: SpherePolygon): boolean {
  return (
    points.some((place) => polygon.touches(place)) ||
    lines.some((line) => polygon.intersectsLine(line)) ||
    polygons.some((other) => other.intersectsPolygon(polygon))
  );
}
