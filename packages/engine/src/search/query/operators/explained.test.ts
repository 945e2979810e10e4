import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { pollsOf } from '../../../bson/testing-turns.ts';
import { Hits } from '../hits.ts';
import type { Operator, OperatorContext } from '../operator.ts';
import { Searching } from '../searching.ts';
import { Spec } from '../spec.ts';
import { numberedSegment } from '../testing-segments.ts';
import { embeddedOperators } from './embedded.ts';
import { nearOperators } from './near.ts';

const SIZE = 400_000;

function compiled(
  compile: ((spec: Spec, context: OperatorContext) => Operator) | undefined,
  spec: Record<string, unknown>,
  inner?: Operator,
): Operator {
  assert.ok(compile);
  const search = new Searching(undefined, [], () => {});
  return compile(new Spec(new RawDocument(encodeDocument(spec)), 'tested'), {
    search,
    within: undefined,
    source: '',
    compile: () => inner as Operator,
  });
}

test('the explanation of "near" reads the value of one document', () => {
  const segment = numberedSegment(SIZE, 'n');
  const near = compiled(nearOperators['near'], { path: 'n', origin: 3, pivot: 1 });
  const hits = near.hits(segment);
  assert.deepEqual([...hits.scores.slice(2, 5)], [0.5, 1, 0.5]);
  assert.equal(hits.found[SIZE - 1], 1);
  let value: number | undefined;
  const polls = pollsOf(() => {
    value = near.explain?.(segment, 5).value;
  });
  assert.equal(value, Math.fround(1 / 3));
  // The explanation takes only one pass through the list of documents.
  assert.equal(polls, 1);
});

test('all explanations of "embeddedDocument" search a segment once', () => {
  const parents = Int32Array.of(-1, 0, -1, 2, -1, 4);
  const postings = () => ({ docs: Int32Array.of(1, 3, 5) });
  const segment = { ...numberedSegment(6, 'n'), parents: () => parents, postings };
  let searches = 0;
  const inner: Operator = {
    hits({ size }) {
      searches++;
      const hits = new Hits(size);
      for (const doc of [1, 3, 5]) hits.set(doc, doc);
      return hits;
    },
    explain: (_, doc) => ({ value: doc, description: 'inner', details: [] }),
  };
  const operator = compiled(embeddedOperators['embeddedDocument'], { path: 'list', operator: {} }, inner);
  const values = [0, 2, 4].map((doc) => operator.explain?.(segment as never, doc).value);
  assert.deepEqual(values, [1, 3, 5]);
  assert.equal(searches, 2);
});
