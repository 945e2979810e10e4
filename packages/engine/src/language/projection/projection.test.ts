import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Decimal128, type Document, Double } from 'bson';
import { raw } from '../testing/documents.ts';
import { compileProjection } from './index.ts';

const literal = (value: unknown) => ({ $literal: value });

/** Cases of a projection, a document and the result. Field order matters. */
const cases: ReadonlyArray<readonly [Document, Document, Document]> = [
  [{ a: 1 }, { _id: 1, a: 2, b: 3 }, { _id: 1, a: 2 }],
  [
    { b: true, a: 2.5 },
    { _id: 1, a: 2, b: 3 },
    { _id: 1, a: 2, b: 3 },
  ],
  [{ a: 1, _id: 0 }, { _id: 1, a: 2 }, { a: 2 }],
  [{ _id: 1 }, { _id: 1, a: 2 }, { _id: 1 }],
  [{ _id: 0 }, { _id: 1, a: 2 }, { a: 2 }],
  [{ a: 0 }, { _id: 1, a: 2, b: 3 }, { _id: 1, b: 3 }],
  [
    { a: false, _id: 1 },
    { _id: 1, a: 2, b: 3 },
    { _id: 1, b: 3 },
  ],
  [{ a: 0, _id: 0 }, { _id: 1, a: 2, b: 3 }, { b: 3 }],
  [{}, { _id: 1, a: 2 }, { _id: 1, a: 2 }],
  [{ 'a.b': 1 }, { _id: 1, a: { b: 1, c: 2 }, d: 1 }, { _id: 1, a: { b: 1 } }],
  [{ a: { b: 1, 'c.d': 1 } }, { a: { b: 1, c: { d: 2, e: 3 } } }, { a: { b: 1, c: { d: 2 } } }],
  [{ 'a.b': 0 }, { a: { b: 1, c: 2 }, d: 1 }, { a: { c: 2 }, d: 1 }],
  [{ 'a.b': 1 }, { a: 5 }, {}],
  [{ 'a.b': 0 }, { a: 5 }, { a: 5 }],
  [{ 'a.b': 1 }, { a: [{ b: 1, c: 2 }, 'x', null, [{ b: 2 }, 3]] }, { a: [{ b: 1 }, [{ b: 2 }]] }],
  [{ 'a.b': 0 }, { a: [{ b: 1, c: 2 }, 'x', [{ b: 2 }, 3]] }, { a: [{ c: 2 }, 'x', [{}, 3]] }],
  [{ 'a.0': 1 }, { a: [1, 2] }, { a: [] }],
  [{ 'a.0': 1 }, { a: { 0: 1, 1: 2 } }, { a: { 0: 1 } }],
  [{ '_id.x': 1 }, { _id: { x: 1, y: 2 }, a: 1 }, { _id: { x: 1 } }],
  [{ a: { $ref: 1, $id: 1 } }, { a: { $ref: 'b', $id: 1, $db: 'c' } }, { a: { $ref: 'b', $id: 1 } }],
  [{ a: { $ref: 0 } }, { a: { $ref: 'b', $id: 1 } }, { a: { $id: 1 } }],
  // Numbers of every type include the field unless they are zero.
  [{ a: new Double(0.1) }, { a: 1, b: 2 }, { a: 1 }],
  [{ a: Decimal128.fromString('0E+3') }, { a: 1, b: 2 }, { b: 2 }],
];

test('includes or excludes fields', () => {
  for (const [spec, doc, expected] of cases) {
    const projected = compileProjection(raw(spec)).apply(raw(doc));
    assert.ok(projected.equals(raw(expected)), `${inspect(spec)} made ${inspect(projected.toObject())}`);
  }
});

const computed: ReadonlyArray<readonly [Document, Document, Document]> = [
  [
    { a: '$b', c: 1 },
    { _id: 1, a: 1, b: 2, c: 3 },
    { _id: 1, c: 3, a: 2 },
  ],
  [{ a: '$x.y' }, { _id: 1, x: { y: 5 } }, { _id: 1, a: 5 }],
  [
    { a: '$gone', b: 1 },
    { _id: 1, b: 2 },
    { _id: 1, b: 2 },
  ],
  [{ a: literal(1) }, { _id: 1 }, { _id: 1, a: 1 }],
  [{ a: ['$b', 'x', '$gone'] }, { _id: 1, b: 2 }, { _id: 1, a: [2, 'x', null] }],
  [{ 'a.b': literal(9) }, { a: 42 }, { a: { b: 9 } }],
  [{ 'a.b': literal(9) }, { _id: 1 }, { _id: 1, a: { b: 9 } }],
  [{ 'a.b': literal(9) }, { a: [{ b: 1, c: 1 }, 5, [{ b: 2 }]] }, { a: [{ b: 9 }, { b: 9 }, [{ b: 9 }]] }],
  [{ a: { x: 1, y: literal(3) } }, { a: { x: 10, z: 1 } }, { a: { x: 10, y: 3 } }],
];

test('computes fields after included ones', () => {
  for (const [spec, doc, expected] of computed) {
    const projected = compileProjection(raw(spec)).apply(raw(doc));
    assert.ok(projected.equals(raw(expected)), `${inspect(spec)} made ${inspect(projected.toObject())}`);
  }
});

const refused: ReadonlyArray<readonly [Document, number, RegExp]> = [
  [{ a: 1, b: 0 }, 31254, /^Cannot do exclusion on field b in inclusion projection$/],
  [{ a: 0, b: 1 }, 31253, /^Cannot do inclusion on field b in exclusion projection$/],
  [{ a: 1, '_id.x': 0 }, 31254, /_id\.x/],
  [{ a: 0, b: literal(1) }, 31252, /field b/],
  [{ a: 0, b: 'x' }, 31310, /b/],
  [{ a: 1, 'a.b': 1 }, 31249, /^Path collision at a\.b remaining portion b$/],
  [{ 'a.b': 1, a: 1 }, 31250, /^Path collision at a$/],
  [{ a: { b: 1 }, 'a.b': 1 }, 31250, /^Path collision at a\.b$/],
  [{ a: {} }, 51270, /empty sub-projection/],
  [{ a: { $foo: 1 } }, 31325, /Unknown expression \$foo$/],
  [{ 'a.$': 1 }, 31324, /positional projection/],
  [{ 'a.$': 0 }, 16410, /may not start with '\$'/],
  [{ '': 1 }, 40352, /empty string/],
];

test('rejects an invalid projection', () => {
  for (const [spec, code, message] of refused) {
    assert.throws(() => compileProjection(raw(spec)), { code, message }, inspect(spec));
  }
});
