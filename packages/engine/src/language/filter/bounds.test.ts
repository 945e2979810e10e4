import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, Double, MaxKey, MinKey } from 'bson';
import fc from 'fast-check';
import { compareBytes } from '../../bson/bytes.ts';
import { encodeKey } from '../../bson/keys.ts';
import { pollsOf } from '../../bson/testing-turns.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { pathOf } from '../paths.ts';
import { raw } from '../testing/documents.ts';
import { keyTuples } from '../testing/key-tuples.ts';
import { valueFrom, values } from '../testing/values.ts';
import { boundsOfPoints } from './bounds.ts';
import { type Bounds, compileFilter, type Interval, intersect, isPoint } from './index.ts';

const boundsOf = (filter: Document, path = 'a') => compileFilter(raw(filter)).bounds.get(path) ?? [];

function contains(bounds: Bounds, value: Value): boolean {
  const key = encodeKey(value);
  return bounds.intervals.some(({ low, high }: Interval) => {
    const fromLow = compareBytes(key, low.key);
    const toHigh = compareBytes(key, high.key);
    return (
      (fromLow > 0 || (fromLow === 0 && low.inclusive)) && (toHigh < 0 || (toHigh === 0 && high.inclusive))
    );
  });
}

function only(bounds: readonly Bounds[]): Bounds {
  assert.equal(bounds.length, 1);
  return bounds[0] ?? assert.fail();
}

test("bounds equality by a point whatever the number's type", () => {
  const [interval] = only(boundsOf({ a: 5 })).intervals;
  assert.ok(interval !== undefined && isPoint(interval));
  assert.deepEqual(interval.low.key, encodeKey(valueFrom(new Double(5))));
});

test('ends a range with its type', () => {
  const above = only(boundsOf({ a: { $gt: 5 } }));
  assert.ok(contains(above, valueFrom(new Double(Number.POSITIVE_INFINITY))));
  assert.ok(!contains(above, valueFrom(5)));
  assert.ok(!contains(above, valueFrom('a')));
  const below = only(boundsOf({ a: { $lte: 'b' } }));
  assert.ok(contains(below, valueFrom('')) && contains(below, valueFrom('b')));
  assert.ok(!contains(below, valueFrom(1)) && !contains(below, valueFrom({})));
});

test('bounds membership by its sorted distinct values', () => {
  const { intervals } = only(boundsOf({ a: { $in: [3, 1, new Double(3), 2] } }));
  assert.deepEqual(
    intervals.map(({ low }) => low.key),
    [1, 2, 3].map((number) => encodeKey(valueFrom(number))),
  );
});

test('bounds every condition that all documents must meet', () => {
  assert.equal(boundsOf({ a: { $gt: 1, $lt: 5 } }).length, 2);
  assert.equal(boundsOf({ $and: [{ a: 1 }, { $and: [{ a: 2 }] }] }).length, 2);
  assert.equal(boundsOf({ $or: [{ a: 1 }, { b: 1 }] }).length, 0);
  assert.equal(boundsOf({ a: { $ne: 1 } }).length, 0);
  assert.equal(boundsOf({ a: { $not: { $gt: 1 } } }).length, 0);
});

test('intersects bounds', () => {
  const [low, high] = boundsOf({ a: { $gte: 2, $lt: 5 } }) as [Bounds, Bounds];
  const both = intersect(low, high);
  assert.deepEqual(
    [1, 2, 4, 5].map((number) => contains(both, valueFrom(number))),
    [false, true, true, false],
  );
  const points = only(boundsOf({ a: { $in: [1, 2, 9] } }));
  assert.equal(intersect(both, points).intervals.length, 1);
  assert.deepEqual(intersect(low, only(boundsOf({ a: 1 }))).intervals, []);
});

test('does not bound types beyond MinKey and MaxKey', () => {
  assert.deepEqual(boundsOf({ a: { $gt: new MinKey() } }), []);
  assert.deepEqual(boundsOf({ a: { $lt: new MaxKey() } }), []);
});

test('bounds the keys of every matching document', () => {
  const operator = fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte');
  const filters = fc.oneof(
    fc.tuple(operator, values).map(([name, operand]) => ({ a: { [name]: operand } })),
    fc.array(values, { maxLength: 3 }).map((operands) => ({ a: { $in: operands } })),
  );
  const docs = fc.oneof(
    values.map((a) => ({ a })),
    fc.array(values, { maxLength: 3 }).map((a) => ({ a })),
    fc.constant({}),
  );
  let matched = 0;
  const check = (filter: Document, doc: Document) => {
    const compiled = compiledOrRefused(filter);
    if (compiled?.matches(raw(doc)) !== true) return;
    matched++;
    const keys = keyTuples([pathOf('a')], raw(doc), () => assert.fail()).map(([key]) => key as Value);
    for (const bounds of compiled.bounds.get('a') ?? []) {
      assert.ok(keys.some((key) => contains(bounds, key)));
    }
  };
  fc.assert(fc.property(filters, docs, check), { numRuns: 2000 });
  // Operands taken from the document itself match far more often than random operands.
  fc.assert(
    fc.property(operator, docs, (name, doc) => check({ a: { [name]: (doc as Document).a ?? null } }, doc)),
    { numRuns: 1000 },
  );
  assert.ok(matched > 200);
});

test('intersects two long lists of points in one pass', () => {
  const points = (first: number) =>
    only(boundsOf({ a: { $in: Array.from({ length: 500 }, (_, i) => first + i) } }));
  let reads = 0;
  const counted = (bounds: Bounds): Bounds => ({
    intervals: bounds.intervals.map((interval) => ({
      get low() {
        reads++;
        return interval.low;
      },
      high: interval.high,
    })),
  });
  const { intervals } = intersect(counted(points(0)), counted(points(400)));
  const keys = (all: Bounds['intervals']) => all.map(({ low, high }) => [low.key, high.key]);
  assert.deepEqual(keys(intervals), keys(points(400).intervals.slice(0, 100)));
  assert.ok(reads < 10 * 1_000, `${reads} reads`);
});

/** Compiles a filter. Some random operands are invalid, such as patterns and documents that look like operators. */
function compiledOrRefused(filter: Document) {
  try {
    return compileFilter(raw(filter));
  } catch (error) {
    assert.ok(error instanceof ServerError);
    return undefined;
  }
}

test('the intervals of very many values are one interval, which is not exact', () => {
  const values = Array.from({ length: 100_001 }, (_, i) => valueFrom(i * 2));
  const many = boundsOfPoints(values);
  assert.equal(many.exact, false);
  const [span, ...others] = many.intervals;
  assert.deepEqual(
    [span?.low.key, span?.high.key, others],
    [encodeKey(valueFrom(0)), encodeKey(valueFrom(200_000)), []],
  );
  const fewer = boundsOfPoints(values.slice(0, 1_000));
  assert.deepEqual([fewer.exact, fewer.intervals.length], [true, 1_000]);
});

test('intervals are computed only when they are read', () => {
  const values = Array.from({ length: 1_000 }, (_, i) => valueFrom(i));
  let compiled: Bounds | undefined;
  const steps = pollsOf(() => {
    compiled = boundsOfPoints(values);
  });
  assert.equal(steps, 0);
  assert.ok(pollsOf(() => compiled?.intervals) > 0);
  assert.equal(
    pollsOf(() => compiled?.intervals),
    0,
  );
});
