import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { compileFilter } from '../filter/index.ts';
import { plain, raw } from '../testing/documents.ts';
import { compileFindProjection } from './find.ts';

function project(spec: Document, doc: Document, filter: Document = {}): Document | undefined {
  return plain([compileFindProjection(raw(spec)).apply(raw(doc), compileFilter(raw(filter)))])[0];
}

const doc = { _id: 1, a: [1, 2, 3, 4], b: [{ n: 1 }, { n: 2 }], c: 5 };

const rows: ReadonlyArray<readonly [spec: Document, expected: Document, filter?: Document]> = [
  [{ a: { $slice: 2 } }, { ...doc, a: [1, 2] }],
  [{ a: { $slice: -1 } }, { ...doc, a: [4] }],
  [
    { a: { $slice: [1, 2] }, b: 0 },
    { _id: 1, a: [2, 3], c: 5 },
  ],
  [
    { a: { $slice: [-3, 2] }, c: 1 },
    { _id: 1, a: [2, 3], c: 5 },
  ],
  [{ a: { $slice: [9, 2] }, _id: 0, b: 0, c: 0 }, { a: [] }],
  [{ c: { $slice: 1 } }, doc],
  [{ 'c.x': { $slice: 1 }, c: { y: 0 } }, doc],
  [{ a: { $slice: [0, null] } }, { _id: 1, a: null }],
  [{ b: { $elemMatch: { n: 2 } } }, { _id: 1, b: [{ n: 2 }] }],
  [{ a: { $elemMatch: { $gt: 2 } } }, { _id: 1, a: [3] }],
  [{ a: { $elemMatch: { $gt: 9 } } }, { _id: 1 }],
  [{ 'a.$': 1 }, { _id: 1, a: [3] }, { a: { $gt: 2 } }],
  [{ 'b.$': 1, c: 1 }, { _id: 1, b: [{ n: 2 }], c: 5 }, { 'b.n': 2 }],
];

test('projects parts of arrays in find', () => {
  for (const [spec, expected, filter] of rows) {
    assert.deepEqual(project(spec, doc, filter), expected, inspect(spec, { depth: 5 }));
  }
});

const refused: ReadonlyArray<readonly [spec: Document, code: number]> = [
  [{ a: { $slice: 'x' } }, 28667],
  [{ a: { $slice: null } }, 28667],
  [{ a: { $slice: { b: 1 } } }, 28667],
  [{ a: { $slice: [1] } }, 28667],
  [{ a: { $slice: [1, 2, 3, 4] } }, 28667],
  [{ a: { $slice: [1, 'x'] } }, 28724],
  [{ a: { $slice: [1, 0] } }, 28724],
  [{ a: { $elemMatch: 1 } }, 31274],
  [{ 'a.b': { $elemMatch: {} } }, 31275],
  [{ 'a.$.b': 1 }, 31394],
  [{ 'a.$': 1, 'b.$': 1 }, 31276],
  [{ 'a.$': 1, b: { $elemMatch: {} } }, 31255],
  [{ b: { $elemMatch: {} }, 'a.$': 1 }, 31256],
  [{ 'a.$': 1, b: 0 }, 31254],
  [{ 'a.$': 1, a: { $slice: 1 } }, 28667],
  [{ a: { $slice: 1 }, 'a.$': 1 }, 31250],
  [{ a: { $slice: 1 }, 'a.b': 1 }, 31249],
  [{ a: { $slice: 1 }, 'a.b': 0 }, 31249],
  [{ 'a.b': 0, a: { $slice: 1 } }, 31250],
  [{ a: { b: 0 }, 'a.b': { $slice: 1 } }, 31250],
  [{ a: { $slice: 1 }, 'a.b': { $slice: 1 } }, 31249],
  [{ a: { $elemMatch: { b: 1 } }, 'a.b': 0 }, 31249],
  [{ 'a.$': { $slice: 1 } }, 31271],
  [{ a: { $elemMatch: { b: { $near: [0, 0] } } } }, 5626500],
  [{ 'a.$': 1 }, 51246],
];

test('rejects invalid projections', () => {
  for (const [spec, code] of refused) {
    assert.throws(() => project(spec, doc), { code }, inspect(spec, { depth: 5 }));
  }
});
