import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTurn } from '../../bson/turns.ts';
import { comparing } from './sort.ts';
import { numberedSegment } from './testing-segments.ts';

const key = (path: string) => ({ path, descending: false, noneHighest: false });

/** Returns the number of pauses in the sorting of documents by keys. */
function pausesOf(size: number, paths: readonly string[]): number {
  const segment = numberedSegment(size, 'n');
  const compare = comparing(paths.map(key), [segment]);
  const entries = Array.from({ length: size }, (_, doc) => ({ segment, doc, score: 1 })).reverse();
  let pauses = 0;
  const before = changeTurn({ poll: () => pauses++, held: 0 });
  try {
    entries.sort(compare);
  } finally {
    changeTurn(before);
  }
  assert.deepEqual(
    entries.map(({ doc }) => doc),
    Array.from({ length: size }, (_, doc) => doc),
  );
  return pauses;
}

test('a search that sorts by many fields can pause after some fields of a comparison', () => {
  const paths = Array.from({ length: 1_000 }, () => 'n');
  const segment = numberedSegment(2, 'n');
  const compare = comparing(paths.map(key), [segment]);
  let pauses = 0;
  const before = changeTurn({ poll: () => pauses++, held: 0 });
  for (let i = 0; i < 10; i++) compare({ segment, doc: 1, score: 1 }, { segment, doc: 1, score: 1 });
  changeTurn(before);
  assert.ok(pauses >= 10, `${pauses}`);
});

test('a search does not compare fields that no document has', () => {
  const absent = Array.from({ length: 1_000 }, (_, i) => `absent${i}`);
  assert.ok(pausesOf(1_000, [...absent, 'n']) < 100);
});
