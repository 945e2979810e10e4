import { cosineOf, sineOf } from '../../bson/numbers/trigonometry.ts';
import type { Statement } from '../../statement/statement.ts';

/** A unit vector: a point on the sphere. */
export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

const RADIANS = Math.PI / 180;

export function vectorAt(longitude: number, latitude: number): Vector {
  const phi = latitude * RADIANS;
  const theta = longitude * RADIANS;
  const cosPhi = cosineOf(phi);
  return { x: cosineOf(theta) * cosPhi, y: sineOf(theta) * cosPhi, z: sineOf(phi) };
}

export function same(a: Vector, b: Vector): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z;
}

function cross(a: Vector, b: Vector): Vector {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

function dot(a: Vector, b: Vector): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

function norm(a: Vector): number {
  return Math.sqrt(dot(a, a));
}

function sum(a: Vector, b: Vector): Vector {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

function difference(a: Vector, b: Vector): Vector {
  return { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z };
}

function scaled({ x, y, z }: Vector, factor: number): Vector {
  return { x: x * factor, y: y * factor, z: z * factor };
}

/** Returns the angle in radians; accurate for small and large angles. */
export function angleBetween(a: Vector, b: Vector): number {
  return Math.atan2(norm(cross(a, b)), dot(a, b));
}

/** Returns the distance from a point to an edge, in radians. */
function angleToEdge(place: Vector, from: Vector, to: Vector): number {
  // The cross product of the end points themselves loses digits if they are close to each other.
  const normal = cross(sum(from, to), difference(to, from));
  const size = dot(normal, normal);
  if (size > 0) {
    // The nearest point of the great circle. It is used only if it lies between the end points.
    const along = difference(place, scaled(normal, dot(place, normal) / size));
    const inside = dot(cross(normal, from), along) > 0 && dot(cross(to, normal), along) > 0;
    if (inside) return angleBetween(place, scaled(along, 1 / norm(along)));
  }
  return Math.min(angleBetween(place, from), angleBetween(place, to));
}

/** True if two edges cross at a point that is an end point of neither. */
export function edgesCross(a: Vector, b: Vector, c: Vector, d: Vector): boolean {
  const ab = cross(a, b);
  const acb = -dot(ab, c);
  const bda = dot(ab, d);
  if (acb * bda <= 0) return false;
  const cd = cross(c, d);
  const cbd = -dot(cd, b);
  const dac = dot(cd, a);
  return acb * cbd > 0 && acb * dac > 0;
}

export type Line = readonly Vector[];

/** A line, or a ring if `closed`. */
interface Edges {
  readonly line: Line;
  readonly closed: boolean;
}

/** Yields the edges of a line, or of a ring if `closed`. */
function* edgesOf(line: Line, closed: boolean): Generator<readonly [Vector, Vector]> {
  for (let i = 1; i < line.length; i++) yield [line[i - 1] as Vector, line[i] as Vector];
  if (closed && line.length > 1) yield [line.at(-1) as Vector, line[0] as Vector];
}

export function angleToLine(place: Vector, line: Line, closed: boolean, statement: Statement): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [from, to] of edgesOf(line, closed)) {
    statement.check();
    least = Math.min(least, angleToEdge(place, from, to));
  }
  return line.length === 1 ? angleBetween(place, line[0] as Vector) : least;
}

export function linesCross(a: Edges, b: Edges, statement: Statement): boolean {
  for (const [from, to] of edgesOf(a.line, a.closed)) {
    for (const [start, end] of edgesOf(b.line, b.closed)) {
      statement.check();
      if (edgesCross(from, to, start, end)) return true;
    }
  }
  return false;
}
