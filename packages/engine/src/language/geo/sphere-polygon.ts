import { step, steps } from '../../bson/turns.ts';
import type { Statement } from '../../statement/statement.ts';
import { type Loop, s2 } from './s2.ts';
import { angleToLine, edgesCross, type Line, linesCross, type Vector } from './vector.ts';

/** The size of the smallest S2 cell in radians, about a centimetre. A point closer to an edge counts as on the edge. */
export const TOUCHING = 2e-9;

/** A closed ring on the sphere; `line` omits the closing vertex. */
export class Ring {
  readonly line: Line;
  #loop: Loop;
  readonly #statement: Statement;

  /** The inside is the smaller side of the ring. With `asWound` it is the side to the left of the edges. */
  constructor(line: Line, asWound: boolean, statement: Statement) {
    this.#statement = statement;
    this.#loop = loopOf(line);
    if (!asWound) this.#loop.normalize();
    this.line = this.#loop.vertices.map(({ vector: { x, y, z } }) => counted({ x, y, z }));
  }

  contains({ x, y, z }: Vector): boolean {
    const { Point } = s2();
    // The library inspects every edge, which may take long.
    this.#statement.checkNow();
    return this.within((loop) => loop.containsPoint(new Point(x, y, z)));
  }

  /**
   * Runs `work` on the loop. An interruption may leave the index of the loop incomplete, so the loop is replaced
   * after any error.
   */
  within<T>(work: (loop: Loop) => T): T {
    try {
      return work(this.#loop);
    } catch (error) {
      this.#loop = loopOf(this.line);
      throw error;
    }
  }

  containsRing(other: Ring): boolean {
    return this.within((loop) => other.within((inner) => loop.contains(inner)));
  }

  intersects(other: Ring): boolean {
    return this.within((loop) => other.within((inner) => loop.intersects(inner)));
  }

  /** True if two edges of the ring cross. */
  get crossesItself(): boolean {
    const { line } = this;
    const size = line.length;
    const axis = longestAxis(line);
    const edges = line
      .map((from, at) => edgeOf(from, line[(at + 1) % size] as Vector, at))
      .sort((a, b) => counted(a).low[axis] - b.low[axis]);
    for (const [index, one] of edges.entries()) {
      const end = one.high[axis];
      // Compare only edges whose bounding boxes intersect, since ten thousand vertices have fifty million pairs of
      // edges.
      for (let next = index + 1; (edges[next]?.low[axis] ?? Number.POSITIVE_INFINITY) <= end; next++) {
        this.#statement.check();
        const other = edges[next] as Edge;
        if (isBeyond(one, other) || isBeyond(other, one)) continue;
        const apart = Math.abs(one.at - other.at);
        if (apart <= 1 || apart === size - 1) continue;
        if (edgesCross(one.from, one.to, other.from, other.to)) return true;
      }
    }
    return false;
  }
}

/**
 * The cost, in steps, of each call by which the library builds the index of a loop. Building takes 80 ms for 20,000
 * corners. The library builds the index on first use.
 */
const INDEX_STEPS = 16;

/** The cost, in steps, of reading a corner. The library reads corners to compute bounds and angles. */
const CORNER_STEPS = 4;

function loopOf(line: Line): Loop {
  const { Point } = s2();
  const CountedLoop = countedLoop();
  const loop = new CountedLoop(line.map(({ x, y, z }) => counted(new Point(x, y, z))));
  for (const name of ['addFaceEdge', 'makeIndexCell', 'clipVAxis', 'clipUBound']) {
    const build: unknown = Reflect.get(loop.index, name);
    if (typeof build !== 'function') continue;
    Reflect.set(loop.index, name, (...given: unknown[]): unknown => {
      steps(INDEX_STEPS);
      return build(...given);
    });
  }
  return loop;
}

let loops: ReturnType<typeof makeCountedLoop> | undefined;

function countedLoop() {
  loops ??= makeCountedLoop();
  return loops;
}

/**
 * Returns a loop class that counts steps. The library's methods that loop over all corners call `vertex` for
 * each corner.
 */
function makeCountedLoop() {
  return class CountedLoop extends s2().Loop {
    override vertex(i: number) {
      steps(CORNER_STEPS);
      return super.vertex(i);
    }
  };
}

function counted<T>(made: T): T {
  step();
  return made;
}

interface Edge {
  readonly from: Vector;
  readonly to: Vector;
  readonly at: number;
  readonly low: Vector;
  readonly high: Vector;
}

function isBeyond({ low }: Edge, { high }: Edge): boolean {
  return low.x > high.x || low.y > high.y || low.z > high.z;
}

/**
 * Returns the axis along which the ring extends farthest. Along a shorter axis, the ranges of most edges could overlap,
 * and many pairs of edges would have to be compared.
 */
function longestAxis(line: Line): keyof Vector {
  const extent = (axis: keyof Vector) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const place of line) {
      step();
      low = Math.min(low, place[axis]);
      high = Math.max(high, place[axis]);
    }
    return high - low;
  };
  const [x, y, z] = [extent('x'), extent('y'), extent('z')];
  if (z > Math.max(x, y)) return 'z';
  return y > x ? 'y' : 'x';
}

/** Returns an edge with its bounding box. The box includes the arc above the chord between the end points. */
function edgeOf(from: Vector, to: Vector, at: number): Edge {
  step();
  const chord = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z);
  const rise = 1 - Math.sqrt(Math.max(0, 1 - chord ** 2 / 4)) + Number.EPSILON;
  const along = (axis: keyof Vector) => ({
    low: Math.min(from[axis], to[axis]) - rise,
    high: Math.max(from[axis], to[axis]) + rise,
  });
  const [x, y, z] = [along('x'), along('y'), along('z')];
  return {
    from,
    to,
    at,
    low: { x: x.low, y: y.low, z: z.low },
    high: { x: x.high, y: y.high, z: z.high },
  };
}

/** An outer ring with holes. */
export class SpherePolygon {
  readonly outer: Ring;
  readonly holes: readonly Ring[];

  readonly #statement: Statement;

  constructor(outer: Ring, holes: readonly Ring[], statement: Statement) {
    this.#statement = statement;
    this.outer = outer;
    this.holes = holes;
  }

  get rings(): readonly Ring[] {
    return [this.outer, ...this.holes];
  }

  contains(place: Vector): boolean {
    return this.outer.contains(place) && !this.holes.some((hole) => hole.contains(place));
  }

  /** The angle to the polygon in radians; 0 inside. */
  angleTo(place: Vector): number {
    return this.contains(place) ? 0 : this.angleToEdges(place);
  }

  angleToEdges(place: Vector): number {
    return Math.min(...this.rings.map(({ line }) => angleToLine(place, line, true, this.#statement)));
  }

  touches(place: Vector): boolean {
    return this.contains(place) || this.angleToEdges(place) < TOUCHING;
  }

  crosses(line: Line, closed: boolean): boolean {
    return this.rings.some((ring) =>
      linesCross({ line: ring.line, closed: true }, { line, closed }, this.#statement),
    );
  }

  containsLine(line: Line): boolean {
    return (
      line.every((place) => this.touches(place)) && !this.crosses(line, false) && this.#holdsMiddles(line)
    );
  }

  /**
   * True if the middle of each segment is in the polygon. A segment can be outside although both of its ends
   * are on the boundary.
   */
  #holdsMiddles(line: Line): boolean {
    return line.slice(1).every((to, i) => this.touches(middle(line[i] as Vector, to)));
  }

  intersectsLine(line: Line): boolean {
    return line.some((place) => this.touches(place)) || this.crosses(line, false);
  }

  containsPolygon(other: SpherePolygon): boolean {
    this.#statement.checkNow();
    if (!this.outer.containsRing(other.outer)) return false;
    return this.holes.every(
      (hole) => !hole.intersects(other.outer) || other.holes.some((within) => within.containsRing(hole)),
    );
  }

  intersectsPolygon(other: SpherePolygon): boolean {
    this.#statement.checkNow();
    if (!this.outer.intersects(other.outer)) return false;
    const inHole = (holes: readonly Ring[], ring: Ring) => holes.some((hole) => hole.containsRing(ring));
    return !inHole(this.holes, other.outer) && !inHole(other.holes, this.outer);
  }
}

function middle(a: Vector, b: Vector): Vector {
  const [x, y, z] = [a.x + b.x, a.y + b.y, a.z + b.z];
  const length = Math.hypot(x, y, z);
  return length === 0 ? a : { x: x / length, y: y / length, z: z / length };
}
