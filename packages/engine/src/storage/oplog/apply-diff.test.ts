import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { diffOf } from '../../language/update/difference.ts';
import { compileUpdate } from '../../language/update/index.ts';
import { applyDiff } from './apply-diff.ts';

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

const paths = fc
  .array(fc.constantFrom('a', 'b', 'c', '0', '1', '3'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('.'));
const fields = fc.dictionary(paths, tree, { maxKeys: 3, noNullPrototype: true });
const modifiers = fc.record({ $set: fields, $unset: fields, $push: fields, $addToSet: fields });

test('the difference recorded by an update turns the old document into the new one', () => {
  let compared = 0;
  fc.assert(
    fc.property(documents, modifiers, fc.boolean(), (from, update, chooses) => {
      const before = RawDocument.from(from);
      const spec = chooses ? { $set: { 'b.$[].a': 5, 'c.$[]': 5 } } : update;
      const result = applied(RawDocument.from(spec), before);
      const difference = result?.difference?.();
      if (result === undefined || difference === undefined) return;
      compared++;
      assert.deepEqual(applyDiff(before, difference).toBytes(), result.bytes);
    }),
    { seed: 7, numRuns: 2000 },
  );
  assert.ok(compared > 100, `${compared}`);
});

/** Applies an update. Returns `undefined` if the update or the document is rejected. */
function applied(update: RawDocument, doc: RawDocument) {
  try {
    return compileUpdate(update).apply(doc);
  } catch (error) {
    assert.ok(error instanceof ServerError, String(error));
    return undefined;
  }
}

test('a difference turns one document into the other, including the order of fields', () => {
  fc.assert(
    fc.property(documents, documents, (from, to) => {
      const [before, after] = [RawDocument.from(from), RawDocument.from(to)];
      assert.deepEqual(applyDiff(before, diffOf(before, after)).toBytes(), after.toBytes());
    }),
    { seed: 7 },
  );
});
