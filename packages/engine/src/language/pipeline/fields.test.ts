import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { plain, raw } from '../testing/documents.ts';
import { compilePipeline } from './compile.ts';

function run(stage: Document, doc: Document): Document | undefined {
  return plain(compilePipeline([raw(stage)]).run([raw(doc)]))[0];
}

const cases: ReadonlyArray<readonly [Document, Document, Document]> = [
  [{ $set: { b: '$a' } }, { a: 1 }, { a: 1, b: 1 }],
  [{ $addFields: { a: { $add: ['$a', 1] } } }, { a: 1, b: 2 }, { a: 2, b: 2 }],
  [{ $set: { 'a.b': 1 } }, { a: [{ b: 0, c: 1 }, 5] }, { a: [{ b: 1, c: 1 }, { b: 1 }] }],
  [{ $set: { a: { b: 1 } } }, { a: { c: 2 } }, { a: { c: 2, b: 1 } }],
  [{ $set: { a: '$gone' } }, { a: 1, b: 1 }, { b: 1 }],
  [{ $set: { a: {} } }, { b: 1 }, { b: 1, a: {} }],
  [{ $unset: ['a.x', 'b'] }, { a: { x: 1, y: 2 }, b: 1 }, { a: { y: 2 } }],
  [{ $replaceRoot: { newRoot: '$a' } }, { a: { x: 1 } }, { x: 1 }],
  [{ $replaceWith: { x: '$a' } }, { a: 1 }, { x: 1 }],
  [{ $documents: [{ x: { $add: [1, 2] } }] }, {}, { x: 3 }],
];

test('sets and removes fields and replaces the document', () => {
  for (const [stage, doc, expected] of cases) assert.deepEqual(run(stage, doc), expected, inspect(stage));
});

const refused: ReadonlyArray<readonly [Document, number]> = [
  [{ $set: 1 }, 40272],
  [{ $set: { a: 1, 'a.b': 1 } }, 40176],
  [{ $addFields: { 'a.b': 1, a: 1 } }, 40176],
  [{ $set: { a: { $add: [1, 2], $multiply: [3, 4] } } }, 40181],
  [{ $unset: [] }, 31119],
  [{ $unset: [1] }, 31120],
  [{ $replaceRoot: {} }, 40414],
  [{ $replaceRoot: { newRoot: 1 } }, 40228],
];

test('rejects invalid specifications', () => {
  for (const [stage, code] of refused) assert.throws(() => run(stage, {}), { code }, inspect(stage));
});
