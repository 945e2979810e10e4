import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { raw } from '../testing/documents.ts';
import { valueFrom } from '../testing/values.ts';
import { compileExpression } from './compile.ts';

function evaluate(expression: unknown, doc: Document) {
  return compileExpression(valueFrom(expression)).evaluate({ root: raw(doc) });
}

const cases: ReadonlyArray<readonly [unknown, Document, unknown]> = [
  [5, {}, 5],
  ['text', {}, 'text'],
  ['$a', { a: 1 }, 1],
  ['$a.b', { a: { b: [1] } }, [1]],
  ['$a.b', { a: [{ b: 1 }, {}, 5, { b: [2] }] }, [1, [2]]],
  ['$a.b', { a: [1] }, []],
  // A number is a field name, never an index.
  ['$a.0', { a: [1, 2] }, []],
  ['$a.0', { a: { 0: 1 } }, 1],
  ['$$ROOT', { a: 1 }, { a: 1 }],
  ['$$CURRENT.a', { a: 1 }, 1],
  [
    { x: '$a', y: { z: '$b' } },
    { a: 1, b: 2 },
    { x: 1, y: { z: 2 } },
  ],
  [{ x: '$gone', y: 1 }, {}, { y: 1 }],
  [['$a', '$gone'], { a: 1 }, [1, null]],
  [{ $literal: '$a' }, { a: 1 }, '$a'],
  [{ $literal: { $foo: 1 } }, {}, { $foo: 1 }],
];

test('reads values from the document', () => {
  for (const [expression, doc, expected] of cases) {
    assert.ok(evaluate(expression, doc)?.identical(valueFrom(expected)), inspect(expression));
  }
});

test('distinguishes a missing value from null', () => {
  for (const expression of ['$a', '$a.b', '$$REMOVE', '$$ROOT.a']) {
    assert.equal(evaluate(expression, { b: 1 }), undefined, expression);
  }
  assert.equal(evaluate('$a.b', { a: 5 }), undefined);
});

const refused: ReadonlyArray<readonly [unknown, number, RegExp]> = [
  [{ $foo: 1 }, 168, /^Unrecognized expression '\$foo'$/],
  [{ $literal: 1, b: 1 }, 15983, /exactly one field/],
  ['$', 16872, /'\$' by itself/],
  ['$a.', 40353, /must not end with a '\.'/],
  ['$.a', 15998, /empty strings/],
  ['$a.$b', 16410, /may not start with '\$'/],
  [`$${'a.'.repeat(200)}a`, 15, /too long/],
  ['$$', 9, /empty variable names/],
  ['$$gone', 17276, /^Use of undefined variable: gone$/],
  [{ 'a.b': 1 }, 16412, /may not contain '\.'/],
  [{ a: 1, $b: 1 }, 16410, /may not start with '\$'/],
];

test('rejects invalid expressions', () => {
  for (const [expression, code, message] of refused) {
    assert.throws(() => compileExpression(valueFrom(expression)), { code, message }, inspect(expression));
  }
});
