import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Decimal128, type Document, Double, Int32, Long } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { int32Of } from '../../bson/value.ts';
import { raw } from '../testing/documents.ts';
import { compileUpdate } from './index.ts';

function apply(update: Document, doc: Document) {
  return compileUpdate(raw(update)).apply(raw(doc));
}

/** Asserts the result of an update. Field order and number types matter. */
function becomes(update: Document, doc: Document, expected: Document): void {
  const { bytes, modified } = apply(update, doc);
  assert.deepEqual(bytes, raw(expected).toBytes(), inspect(update, { depth: 5 }));
  assert.equal(modified, true);
}

function leaves(update: Document, doc: Document): void {
  const { bytes, modified } = apply(update, doc);
  assert.deepEqual(bytes, raw(doc).toBytes(), inspect(update, { depth: 5 }));
  assert.equal(modified, false);
}

test('$set writes fields in place and new ones at the end, sorted by name', () => {
  becomes({ $set: { b: 9 } }, { _id: 1, b: 2, c: 3 }, { _id: 1, b: 9, c: 3 });
  becomes({ $set: { z: 1, a: 2, m: 3 } }, { _id: 1 }, { _id: 1, a: 2, m: 3, z: 1 });
  becomes({ $set: { b: 1, 'x.10': 1, 'x.9': 1 } }, {}, { b: 1, x: { 9: 1, 10: 1 } });
  becomes({ $set: { 'a.b': 1 } }, { a: { c: 2, b: 0 } }, { a: { c: 2, b: 1 } });
  becomes({ $set: { 'a.b.c': 1, 'a.b.d': 2 } }, {}, { a: { b: { c: 1, d: 2 } } });
  becomes({ $set: { a: { b: { c: 1 } } } }, { a: 1 }, { a: { b: { c: 1 } } });
  becomes({ $set: { 'a.$b': 1 } }, { a: {} }, { a: { $b: 1 } });
});

test('$set of the same value changes nothing, but of another number type does', () => {
  leaves({ $set: { a: 1, 'b.c': 'x' } }, { a: 1, b: { c: 'x' } });
  becomes({ $set: { a: new Double(1) } }, { a: 1 }, { a: new Double(1) });
  leaves({ $set: {} }, { a: 1 });
});

test('a number in a path is a position in arrays and a name elsewhere', () => {
  becomes({ $set: { 'a.1': 9 } }, { a: [1, 2, 3] }, { a: [1, 9, 3] });
  becomes({ $set: { 'a.1.b': 9 } }, { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 9 }] });
  becomes({ $set: { 'a.0': 9 } }, { a: { 0: 1 } }, { a: { 0: 9 } });
  becomes({ $set: { 'a.0': 9 } }, {}, { a: { 0: 9 } });
  becomes({ $set: { 'a.4': 9, 'a.2': 8 } }, { a: [1, 2] }, { a: [1, 2, 8, null, 9] });
  becomes({ $set: { 'a.1.b': 9 } }, { a: [0] }, { a: [0, { b: 9 }] });
  becomes({ $set: { 'a.0.1': 9 } }, { a: [[1, 2]] }, { a: [[1, 9]] });
});

test('$unset removes fields and leaves a null in arrays', () => {
  becomes({ $unset: { b: '' } }, { a: 1, b: 2, c: 3 }, { a: 1, c: 3 });
  becomes({ $unset: { 'a.b': 1 } }, { a: { b: 1, c: 2 } }, { a: { c: 2 } });
  becomes({ $unset: { 'a.b': 1 } }, { a: { b: 1 } }, { a: {} });
  becomes({ $unset: { 'a.1': 1 } }, { a: [1, 2, 3] }, { a: [1, null, 3] });
  leaves({ $unset: { b: 1, 'a.x.y': 1, 'c.9': 1, 'c.-1': 1, 'd.e': 1 } }, { a: {}, c: [1], d: 5 });
});

const increments: ReadonlyArray<readonly [unknown, unknown, unknown]> = [
  [new Int32(1), new Int32(2), new Int32(3)],
  [new Int32(2147483647), new Int32(1), Long.fromNumber(2147483648)],
  [new Int32(1), Long.fromNumber(1), Long.fromNumber(2)],
  [Long.fromNumber(1), new Double(0.5), new Double(1.5)],
  [new Double(10.5), Decimal128.fromString('2.5'), Decimal128.fromString('13.0000000000000')],
];

test('$inc adds in the wider type', () => {
  for (const [value, by, sum] of increments) becomes({ $inc: { a: by } }, { a: value }, { a: sum });
  becomes({ $inc: { a: 5 } }, {}, { a: 5 });
  becomes({ $inc: { 'a.b': 5 } }, {}, { a: { b: 5 } });
  becomes({ $inc: { 'a.0': 5 } }, { a: [1] }, { a: [6] });
  leaves({ $inc: { a: 0 } }, { a: 7 });
  becomes({ $inc: { a: Long.ZERO } }, { a: 7 }, { a: Long.fromNumber(7) });
});

test('applies several modifiers together', () => {
  becomes(
    { $set: { 'a.x': 1 }, $inc: { n: 2 }, $unset: { 'a.y': '', gone: '' } },
    { a: { y: 1 }, gone: 1, n: 1, kept: 'k' },
    { a: { x: 1 }, n: 3, kept: 'k' },
  );
  leaves({ $setOnInsert: { a: 1 } }, { b: 1 });
});

test('changes the first of several fields with the same name', () => {
  const twice = raw({ a: 1, b: 1 }).toBytes().slice();
  twice[twice.lastIndexOf(0x62)] = 0x61;
  const { bytes } = compileUpdate(raw({ $inc: { a: 5 } })).apply(new RawDocument(twice));
  assert.deepEqual(
    [...new RawDocument(bytes)].map((element) => [element.name, int32Of(element)]),
    [
      ['a', 6],
      ['a', 1],
    ],
  );
});

test('keeps the _id and its position in a replacement', () => {
  becomes({ b: 2 }, { _id: 1, a: 1 }, { _id: 1, b: 2 });
  becomes({ b: 2, _id: new Double(1) }, { _id: 1, a: 1 }, { _id: new Double(1), b: 2 });
  becomes({}, { _id: 1, a: 1 }, { _id: 1 });
  leaves({ _id: 1, a: 1 }, { _id: 1, a: 1 });
  becomes({ a: 1 }, { _id: 1, a: 1 }, { _id: 1, a: 1 });
  assert.equal(compileUpdate(raw({ a: 1 })).kind, 'replacement');
  assert.equal(compileUpdate(raw({ $set: { a: 1 } })).kind, 'modifiers');
});

const refusedBefore: ReadonlyArray<readonly [Document, number, RegExp]> = [
  [{ $foo: { a: 1 } }, 9, /^Unknown modifier: \$foo\. Expected a valid update modifier or pipeline-style/],
  [{ $set: { a: 1 }, b: 1 }, 9, /^Unknown modifier: b\./],
  [{ $set: 5 }, 9, /^Modifiers operate on fields but we found type int instead/],
  [{ $set: { a: 1, 'a.b': 2 } }, 40, /^Updating the path 'a\.b' would create a conflict at 'a'$/],
  [{ $set: { 'a.b': 1 }, $inc: { a: 2 } }, 40, /^Updating the path 'a' would create a conflict at 'a'$/],
  [{ $set: { a: 1 }, $unset: { a: 1 } }, 40, /^Updating the path 'a' would create a conflict at 'a'$/],
  [{ $set: { '': 1 } }, 56, /^An empty update path is not valid\.$/],
  [{ $set: { 'a.': 1 } }, 56, /'a\.' contains an empty field name/],
  [{ $set: { 'a..b': 1 } }, 56, /contains an empty field name/],
  [{ $inc: { 'x.a': 'b' } }, 14, /^Cannot increment with non-numeric argument: \{a: "b"\}$/],
  [{ $set: { '$.a': 1 } }, 2, /first position/],
  [{ $set: { 'a.$[x].b': 1 } }, 2, /^No array filter found for identifier 'x' in path 'a\.\$\[x\]\.b'$/],
  [{ a: 1, $set: { b: 1 } }, 52, /^The dollar \(\$\) prefixed field '\$set' in '\$set' is not allowed/],
];

test('rejects invalid updates before any document is changed', () => {
  for (const [update, code, message] of refusedBefore) {
    assert.throws(() => compileUpdate(raw(update)), { code, message }, inspect(update));
  }
});

const refusedWith: ReadonlyArray<readonly [Document, Document, number, RegExp]> = [
  [{ $set: { 'a.b': 1 } }, { a: 'x' }, 28, /^Cannot create field 'b' in element \{a: "x"\}$/],
  [{ $set: { 'a.b.c': 1 } }, { a: { b: null } }, 28, /^Cannot create field 'c' in element \{b: null\}$/],
  [{ $set: { 'a.x': 1 } }, { a: [1, 2] }, 28, /^Cannot create field 'x' in element \{a: \[ 1, 2 \]\}$/],
  [{ $set: { 'a.-1': 1 } }, { a: [] }, 28, /^Cannot create field '-1' in element \{a: \[\]\}$/],
  [{ $set: { 'a.1500001': 1 } }, { a: [] }, 34, /1500000/],
  [{ $inc: { a: 1 } }, { _id: 7, a: 'x' }, 14, /\{_id: 7\} has the field 'a' of non-numeric type string$/],
  [
    { $inc: { a: 1 } },
    { _id: 7, a: Long.MAX_VALUE },
    2,
    /\(\(NumberLong\)9223372036854775807\) for document \{_id: 7\}$/,
  ],
  [{ $set: { _id: 2 } }, { _id: 1 }, 66, /on the path '_id' would modify the immutable field '_id'$/],
  [{ $unset: { _id: 1 } }, { _id: 1 }, 66, /on the path '_id'/],
  [{ $inc: { '_id.a': 1 } }, { _id: { a: 1 } }, 66, /on the path '_id\.a'/],
  [{ _id: 2, a: 1 }, { _id: 1 }, 66, /\(immutable\) field '_id' was found to have been altered to _id: 2$/],
  [
    { $set: { $a: 1 } },
    { _id: 1 },
    52,
    /^The dollar \(\$\) prefixed field '\$a' in '\$a' is not valid for storage/,
  ],
];

test('rejects updates that do not fit the document', () => {
  for (const [update, doc, code, message] of refusedWith) {
    assert.throws(() => apply(update, doc), { code, message }, inspect(update));
  }
});

test('accepts an update that sets the same _id', () => {
  leaves({ $set: { _id: 1 } }, { _id: 1 });
  leaves({ $set: { '_id.a': 1 } }, { _id: { a: 1 } });
});

function deep(depth: number): Document {
  return depth === 0 ? {} : { a: deep(depth - 1) };
}

test('limits the nesting and size of the result', () => {
  becomes({ $set: { 'x.y': deep(197) } }, { x: {} }, { x: { y: deep(197) } });
  assert.throws(() => apply({ $set: { 'x.y': deep(198) } }, { x: {} }), { code: 15 });
  assert.throws(() => apply({ $set: { b: 'x'.repeat(2 ** 23) } }, { a: 'x'.repeat(2 ** 23) }), {
    code: 17419,
  });
});
