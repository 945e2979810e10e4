import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RawDocument } from '../../bson/raw.ts';
import { applyDiff } from './apply-diff.ts';
import { diffOf } from './diff.ts';

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: 0, max: 3 }),
    fc.string({ maxLength: 30 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('tree'), { noNullPrototype: true }),
  ),
}));
const documents = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), tree, { noNullPrototype: true });

test('a difference leads from the one document to the other, order of fields included', () => {
  fc.assert(
    fc.property(documents, documents, (from, to) => {
      const [before, after] = [RawDocument.from(from), RawDocument.from(to)];
      assert.deepEqual(applyDiff(before, diffOf(before, after)).toBytes(), after.toBytes());
    }),
    { seed: 7 },
  );
});
