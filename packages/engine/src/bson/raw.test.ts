import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, type Document, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { documents } from '../language/testing/values.ts';
import { documentOf, encodeName, entriesOf, RawDocument } from './raw.ts';
import { pollsOf } from './testing-turns.ts';
import { changeTurn } from './turns.ts';
import { int32Of, textOf } from './value.ts';

test('iterates over elements in order with name, type and value', () => {
  const doc = RawDocument.from({ b: 1, a: 'x', é: null });
  assert.deepEqual(
    [...doc].map(({ name, type }) => [name, type]),
    [
      ['b', 0x10],
      ['a', 0x02],
      ['é', 0x0a],
    ],
  );
  assert.equal(int32Of(doc.get('b') ?? assert.fail()), 1);
  assert.equal(textOf(doc.get('a') ?? assert.fail()), 'x');
});

test('finds a field by its whole name, the first of several', () => {
  const doc = RawDocument.from({ ab: 1, abc: 2, a: 3, '': 4 });
  assert.equal(int32Of(doc.get('a') ?? assert.fail()), 3);
  assert.equal(int32Of(doc.get('') ?? assert.fail()), 4);
  assert.equal(doc.get('abcd'), undefined);
  const twice = RawDocument.of(
    new Uint8Array([19, 0, 0, 0, 0x10, 97, 0, 1, 0, 0, 0, 0x10, 97, 0, 2, 0, 0, 0, 0]),
  );
  assert.equal(int32Of(twice.get('a') ?? assert.fail()), 1);
});

test('round-trips the bytes of the official codec', () => {
  fc.assert(
    fc.property(documents, (plain) => {
      const doc = RawDocument.from(plain);
      assert.ok(RawDocument.of(doc.toBytes()).equals(doc));
      assert.deepEqual(
        [...doc].map(({ name }) => name),
        Object.keys(plain),
      );
    }),
    { numRuns: 300 },
  );
});

test('reads an embedded document, which shares the bytes of its parent', () => {
  const outer = RawDocument.from({ before: 'x', inner: { a: [1, { b: 2 }] }, after: 'y' });
  const inner = outer.document('inner') ?? assert.fail();
  assert.equal(inner.bytes, outer.bytes);
  assert.ok(RawDocument.of(inner.toBytes()).equals(RawDocument.from({ a: [1, { b: 2 }] })));
  const [, second] = entriesOf(inner.get('a') ?? assert.fail());
  assert.deepEqual(documentOf(second ?? assert.fail()).toObject(), { b: 2 });
});

test('converts to plain objects that keep int64 apart from other numbers', () => {
  const plain = { i: 1, d: 1.5, l: 5n };
  assert.deepEqual(RawDocument.from(plain).toObject(), plain);
});

test('reads command fields in their types', () => {
  const doc = RawDocument.from({
    s: 'x',
    d: { a: 1 },
    ds: [{ a: 1 }, { a: 2 }],
    i: 5,
    l: Long.fromNumber(5),
    f: 5.9,
    dec: Decimal128.fromString('5.9'),
    big: 2n ** 62n,
    t: true,
    zero: new Double(0),
    n: null,
  });
  assert.equal(doc.string('s'), 'x');
  assert.deepEqual(doc.document('d')?.toObject(), { a: 1 });
  assert.equal(doc.documents('ds')?.length, 2);
  for (const name of ['i', 'l', 'f']) assert.equal(doc.int(name), 5, name);
  // A double is truncated, and a decimal is rounded.
  assert.equal(doc.int('dec'), 6);
  assert.equal(doc.long('big'), 2n ** 62n);
  assert.equal(doc.bool('t'), true);
  assert.equal(doc.bool('zero'), false);
  assert.equal(doc.bool('i'), true);
  assert.equal(doc.string('n'), undefined);
  assert.equal(doc.string('absent'), undefined);
});

const wrongFields: Array<[(doc: RawDocument) => unknown, Document, RegExp]> = [
  [(doc) => doc.string('x', 'find'), { x: 1 }, /'find\.x' is the wrong type 'int', expected type 'string'/],
  [(doc) => doc.document('x'), { x: 'a' }, /'x' is the wrong type 'string', expected type 'object'/],
  [(doc) => doc.array('x', 'aggregate'), { x: {} }, /'aggregate\.x' .* 'object', expected type 'array'/],
  [(doc) => doc.documents('x', 'insert'), { x: [{}, 1] }, /'insert\.x\.1' .* 'int', expected type 'object'/],
  [(doc) => doc.int('x'), { x: '1' }, /expected types '\[long, int, decimal, double\]'/],
  [(doc) => doc.bool('x'), { x: '1' }, /expected types '\[bool, long, int, decimal, double\]'/],
];

test('rejects a command field of the wrong type by name', () => {
  for (const [read, plain, message] of wrongFields) {
    assert.throws(() => read(RawDocument.from(plain)), { code: 14, message });
  }
});

test('compares documents for equality by bytes', () => {
  const one = RawDocument.from({ a: new Int32(1), b: 2 });
  assert.ok(one.equals(RawDocument.from({ a: 1, b: 2 })));
  assert.ok(!one.equals(RawDocument.from({ b: 2, a: 1 })));
  assert.ok(!one.equals(RawDocument.from({ a: new Double(1), b: 2 })));
});

test('distinguishes names with equal ends', () => {
  const names = ['abca', 'abba', 'acca', 'a', '', 'ä', 'n'.repeat(32), 'n'.repeat(33), 'n'.repeat(31)];
  const bytes = RawDocument.from(Object.fromEntries(names.map((name, i) => [name, i]))).toBytes();
  for (const _ of [1, 2])
    assert.deepEqual(
      [...RawDocument.of(bytes)].map(({ name }) => name),
      names,
    );
});

test('keeps the bytes of short names, but not of long ones', () => {
  assert.equal(encodeName('name'), encodeName('name'));
  const long = 'n'.repeat(300);
  assert.deepEqual(encodeName(long), encodeName(long));
  assert.notEqual(encodeName(long), encodeName(long));
});

test('other statements can run while a long name is read', () => {
  const doc = RawDocument.from({ ['n'.repeat(1_000_000)]: 1 });
  const polls = pollsOf(() => doc.first()?.name);
  assert.ok(polls >= 2, `${polls}`);
});

test('other statements can run while fields are counted', () => {
  const doc = RawDocument.from(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, i])));
  assert.ok(pollsOf(() => assert.equal(doc.count(), 10_000)) > 15);
});

test('other statements can run between the fields that are mapped', () => {
  const doc = RawDocument.from(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, i])));
  let read = 0;
  const before = changeTurn({ poll: () => assert.ok(read > 0), held: 0 });
  try {
    assert.deepEqual(
      doc.map((field) => {
        read++;
        return int32Of(field);
      }),
      Array.from({ length: 5_000 }, (_, i) => i),
    );
  } finally {
    changeTurn(before);
  }
});
