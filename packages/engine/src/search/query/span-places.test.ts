import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apartFrom,
  bestPlacement,
  containing,
  orderedNear,
  type Span,
  unorderedNear,
  within,
} from './span-places.ts';

const none = () => {};

/** Returns spans with different starts and lengths, in order. */
const spansOf = (seed: number, count: number): Span[] =>
  Array.from({ length: count }, (_, i) => {
    const start = (i * seed) % 41;
    return { start, end: start + 1 + ((i * 7 + seed) % 5) };
  }).toSorted((a, b) => a.start - b.start || a.end - b.end);

test('spans are compared with the spans that can decide', () => {
  const big = spansOf(13, 9);
  for (const span of spansOf(5, 200)) {
    const { start, end } = span;
    const about = JSON.stringify([span, big]);
    assert.equal(apartFrom(big, none)(span), !big.some((one) => start < one.end && one.start < end), about);
    assert.equal(
      within(big, none)(span),
      big.some((one) => one.start <= start && end <= one.end),
      about,
    );
    assert.equal(
      containing(big, none)(span),
      big.some((one) => start <= one.start && one.end <= end),
      about,
    );
  }
  const [only] = spansOf(1, 1) as [Span];
  assert.deepEqual(
    [apartFrom, within, containing].map((testing) => testing([], none)(only)),
    [true, false, false],
  );
});

test('the check is called in proportion to the sources of a document', () => {
  const own = Array.from({ length: 3_200 }, (_, i) => [{ start: i, end: i + 1 }]);
  for (const near of [orderedNear, unorderedNear]) {
    let checks = 0;
    assert.deepEqual(
      near(own, 0, () => void checks++),
      [{ start: 0, end: 3_200 }],
    );
    assert.ok(checks >= 100, `${checks}`);
  }
});

test('a phrase that repeats a word counts the places that are taken', () => {
  const spans = Array.from({ length: 1_000 }, (_, start) => ({ start, end: start + 1 }));
  const own = Array<Span[]>(300).fill(spans);
  const offsets = own.map(() => 0);
  let steps = 0;
  const placed = bestPlacement(own, offsets, 1_000, spans[500] as Span, (count) => {
    steps += count;
  });
  assert.equal(placed?.moved, 299);
  assert.ok(steps > 299 * 100, `${steps}`);
});
