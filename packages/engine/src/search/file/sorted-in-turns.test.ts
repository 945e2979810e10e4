import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SORTED_AT_ONCE, sortedInTurns } from './sorted-in-turns.ts';

/** Returns the sorted items, and the number of pauses. */
function sorted(items: readonly number[]) {
  const work = sortedInTurns(
    items,
    (piece) => piece.sort((a, b) => a - b),
    (a, b) => a < b,
  );
  let pauses = 0;
  for (let next = work.next(); ; next = work.next()) {
    if (next.done === true) return { items: next.value, pauses };
    pauses++;
  }
}

test('sorts with pauses', () => {
  for (const size of [0, 1, SORTED_AT_ONCE, SORTED_AT_ONCE + 1, 5 * SORTED_AT_ONCE + 7]) {
    const items = Array.from({ length: size }, (_, at) => (at * 7_919) % 10_007);
    const { items: made, pauses } = sorted(items);
    assert.deepEqual(
      made,
      items.toSorted((a, b) => a - b),
    );
    assert.equal(pauses > 0, size > SORTED_AT_ONCE, `${size}: ${pauses}`);
  }
  assert.ok(sorted(Array.from({ length: 10 * SORTED_AT_ONCE }, (_, at) => -at)).pauses > 20);
});
