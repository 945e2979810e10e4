import type { Statement } from '../../statement/statement.ts';

/** A point in the plane. */
export interface FlatPoint {
  readonly x: number;
  readonly y: number;
}

/** Tests whether a point is inside a plane shape or on its edge. */
export type FlatShape = (point: FlatPoint) => boolean;

export function distanceBetween(a: FlatPoint, b: FlatPoint): number {
  const [x, y] = [a.x - b.x, a.y - b.y];
  // `Math.hypot` sometimes returns another last digit than the server's computation.
  return Math.sqrt(x * x + y * y);
}

export function box(a: FlatPoint, b: FlatPoint): FlatShape {
  const [west, east] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [south, north] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return ({ x, y }) => x >= west && x <= east && y >= south && y <= north;
}

export function circle(center: FlatPoint, radius: number): FlatShape {
  return (point) => {
    if (point.x === center.x) return isNear(center.y, point.y, radius);
    if (point.y === center.y) return isNear(center.x, point.x, radius);
    return distanceBetween(center, point) <= radius;
  };
}

/**
 * True if two numbers differ by at most `radius`. Adds the radius instead of subtracting the numbers, because the
 * computed difference of numbers such as 52 and 51.9999 is slightly greater than 0.0001.
 */
function isNear(a: number, b: number, radius: number): boolean {
  return Math.max(a, b) <= Math.min(a, b) + radius;
}

/**
 * Tests points by the even-odd rule. Corners and points on horizontal or vertical edges are inside. A point on a slanted
 * edge is inside only if the edge bounds the polygon on the right, as in the server.
 */
export function flatPolygon(corners: readonly FlatPoint[], statement: Statement): FlatShape {
  return (point) => {
    let crossings = 0;
    let from = corners.at(-1) as FlatPoint;
    for (const to of corners) {
      statement.check();
      const passed = pass(point, from, to);
      if (passed === 'on') return true;
      crossings += passed;
      from = to;
    }
    return crossings % 2 === 1;
  };
}

/**
 * Returns 1 if a ray from the point to the right crosses the edge, otherwise 0. Returns 'on' if the point is a corner,
 * or is on a horizontal or vertical edge.
 */
function pass({ x, y }: FlatPoint, a: FlatPoint, b: FlatPoint): number | 'on' {
  const right = Math.max(a.x, b.x);
  if ((x === a.x && y === a.y) || (x === b.x && y === b.y)) return 'on';
  if (a.y === b.y) return y === a.y && x >= Math.min(a.x, b.x) && x <= right ? 'on' : 0;
  if (y <= Math.min(a.y, b.y) || y > Math.max(a.y, b.y) || x > right) return 0;
  if (a.x === b.x) return x === a.x ? 'on' : 1;
  return x <= ((y - a.y) * (b.x - a.x)) / (b.y - a.y) + a.x ? 1 : 0;
}
