import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Direction, encodeCompoundKey, encodeKey } from '../../bson/keys.ts';
import { int32, string, type Value } from '../../bson/value.ts';
import { type Interval, point } from '../../language/filter/bounds.ts';
import { endOf, everyKey, keysWithin, rangeAfter, rangeOf } from './range.ts';

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(int32),
  fc.constantFrom('', 'a', 'a\0', 'ab', 'b').map(string),
);

function holds({ low, high }: typeof everyKey, key: Uint8Array): boolean {
  return Buffer.compare(low, key) <= 0 && (high === undefined || Buffer.compare(key, high) < 0);
}

describe('key ranges', () => {
  it('contain the keys between two values, in either direction and after another part', () => {
    const ends = fc.record({ key: value, inclusive: fc.boolean() });
    const cases = fc.record({ first: value, other: value, low: ends, high: ends, at: value, rest: value });
    const property = fc.property(cases, ({ first, other, low, high, at, rest }) => {
      for (const direction of [1, -1] as const) assertHolds(direction, first, other, low, high, at, rest);
    });
    fc.assert(property, { seed: 3, numRuns: 400 });
  });

  it('of a value contain exactly the keys that begin with it', () => {
    const prefix = encodeKey(string('a'));
    assert.ok(holds(keysWithin(prefix, 1), encodeCompoundKey([string('a'), int32(5)], [1, 1])));
    assert.ok(!holds(keysWithin(prefix, 1), encodeCompoundKey([string('a\0'), int32(5)], [1, 1])));
    assert.ok(holds(everyKey, prefix));
    assert.ok(!holds({ low: prefix, high: endOf(prefix) }, encodeKey(string('ab'))));
  });
});

interface End {
  readonly key: Value;
  readonly inclusive: boolean;
}

function assertHolds(
  direction: Direction,
  first: Value,
  other: Value,
  low: End,
  high: End,
  at: Value,
  rest: Value,
): void {
  const end = ({ key, inclusive }: End) => ({ key: encodeKey(key), inclusive });
  const interval: Interval = { low: end(low), high: end(high) };
  const range = rangeAfter(encodeKey(first), rangeOf(interval, direction));
  const order = (a: Value, b: Value) => Buffer.compare(encodeKey(a), encodeKey(b));
  const above = order(at, low.key) > (low.inclusive ? -1 : 0);
  const below = order(at, high.key) < (high.inclusive ? 1 : 0);
  const directions: Direction[] = [1, direction, 1];
  assert.equal(holds(range, encodeCompoundKey([first, at, rest], directions)), above && below);
  if (order(first, other) !== 0) {
    assert.equal(holds(range, encodeCompoundKey([other, at, rest], directions)), false);
  }
  const single = rangeOf(point(at), direction);
  assert.ok(holds(single, encodeCompoundKey([at, rest], [direction, 1])));
}
