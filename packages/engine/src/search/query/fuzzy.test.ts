import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distance } from './fuzzy.ts';

/** Computes the distance by its definition, with the whole matrix. */
function whole(a: readonly string[], b: readonly string[]): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const cell = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      (rows[i] ?? [])[j] = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, replaced, swapped);
    }
  }
  return cell(a.length, b.length);
}

test('terms within the maximum number of edits are found, with their number', () => {
  const term = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(term, term, fc.constantFrom(1, 2), (a, b, most) => {
      const expected = whole(a, b);
      const found = distance(a, b, most);
      if (expected <= most) assert.equal(found, expected);
      else assert.ok(found > most, `${found} instead of ${expected}`);
    }),
    { numRuns: 5000 },
  );
});

test('long terms take as long as their length, not its square', () => {
  const long = Array.from({ length: 200_000 }, (_, at) => String(at % 7));
  assert.equal(distance(long, [...long.slice(0, -1), 'x'], 2), 1);
});
