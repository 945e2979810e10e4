import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Best } from './best.ts';

interface Offered {
  readonly score: number;
  readonly from: number;
  readonly doc: number;
}

function inOrder(entries: Iterable<Offered>): Offered[] {
  return [...entries].sort((a, b) => b.score - a.score || a.from - b.from || a.doc - b.doc);
}

test('keeps the wanted number of highest scores, and the first of equal ones', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 12 }), (all, most) => {
      const offered = all.map((score, at) => ({ score, from: at >> 3, doc: at & 7 }));
      const best = new Best(most);
      for (const { score, from, doc } of offered) best.offer(score, from, doc);
      assert.deepEqual(inOrder(best.entries()), inOrder(offered).slice(0, most));
    }),
  );
});
