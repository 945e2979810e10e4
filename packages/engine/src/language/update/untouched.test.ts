import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RawDocument } from '../../bson/raw.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { raw } from '../testing/documents.ts';
import { documents, values } from '../testing/values.ts';
import { compileUpdate } from './index.ts';

/** Returns the type, name and value of a field as a string. */
function bytesOf({ bytes, nameStart, end }: Element): string {
  return Buffer.from(bytes.subarray(nameStart - 1, end)).toString('hex');
}

const paths = fc
  .array(fc.constantFrom('a', 'b', 'c', '0', '1', 'new'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('.'));

const updates = fc
  .record({
    $set: fc.dictionary(paths, values, { maxKeys: 2, noNullPrototype: true }),
    $unset: fc.dictionary(paths, fc.constant(''), { maxKeys: 2, noNullPrototype: true }),
    $inc: fc.dictionary(paths, fc.integer(), { maxKeys: 1, noNullPrototype: true }),
  })
  .map((modifiers) => raw(modifiers));

/** Applies an update. Returns `undefined` if the update is invalid or rejected. */
function applied(update: RawDocument, doc: RawDocument) {
  try {
    return compileUpdate(update).apply(doc);
  } catch (error) {
    assert.ok(error instanceof ServerError, String(error));
    return undefined;
  }
}

function rootsOf(update: RawDocument): Set<string> {
  return new Set(
    ['$set', '$unset', '$inc'].flatMap((name) =>
      [...(update.document(name) ?? [])].map((field) => field.name.split('.')[0] as string),
    ),
  );
}

test('keeps fields that an update does not name, bit by bit and in order', () => {
  let changed = 0;
  fc.assert(
    fc.property(documents, updates, (plain, update) => {
      const before = raw(plain);
      const result = applied(update, before);
      if (result === undefined) return;
      const after = RawDocument.of(result.bytes);
      const named = rootsOf(update);
      const rest = (doc: RawDocument) => [...doc].filter(({ name }) => !named.has(name)).map(bytesOf);
      assert.deepEqual(rest(after), rest(before));
      // Unsetting an array entry makes it null. The server counts this as a modification even if it was null before.
      if (update.document('$unset')?.isEmpty ?? true) assert.equal(result.modified, !after.equals(before));
      else assert.ok(result.modified || after.equals(before));
      if (!after.equals(before)) changed++;
    }),
    { numRuns: 1000 },
  );
  assert.ok(changed > 100);
});

test('changes nothing when the same values are set again', () => {
  const sets = fc.dictionary(paths, values, { maxKeys: 3, noNullPrototype: true });
  fc.assert(
    fc.property(documents, sets, (plain, $set) => {
      const update = raw({ $set });
      const once = applied(update, raw(plain));
      if (once === undefined) return;
      assert.equal(applied(update, RawDocument.of(once.bytes))?.modified, false);
    }),
    { numRuns: 500 },
  );
});

test('preserves values that arithmetic would change next to a change', () => {
  const doc = raw({ n: 0, nan: Number.NaN, zero: -0 });
  const bytes = doc.toBytes().slice();
  // A NaN with a sign and payload.
  const at = Buffer.from(bytes).indexOf('nan') + 4;
  bytes.set([0x2a, 0, 0, 0, 0, 0, 0xf8, 0xff], at);
  const { bytes: after } = compileUpdate(raw({ $inc: { n: 1 } })).apply(RawDocument.of(bytes));
  assert.deepEqual(after.subarray(11), bytes.subarray(11));
});
