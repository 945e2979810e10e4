import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Decimal128, type Document, Double, Int32, Long, Timestamp } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { compileFilter } from '../filter/index.ts';
import { plain, raw } from '../testing/documents.ts';
import { compileUpdate } from './index.ts';

interface Also {
  readonly arrayFilters?: readonly Document[];
  readonly filter?: Document;
}

function apply(update: Document, doc: Document, { arrayFilters = [], filter = {} }: Also = {}) {
  const options = { arrayFilters: arrayFilters.map(raw), now: () => 1_700_000_000_500 };
  return compileUpdate(raw(update), options).apply(raw(doc), compileFilter(raw(filter)));
}

type Row = readonly [update: Document, before: Document, after: Document, also?: Also];

const rows: readonly Row[] = [
  [{ $mul: { a: 3 } }, { a: 2 }, { a: 6 }],
  [{ $mul: { a: 2 } }, { a: new Int32(2 ** 30) }, { a: Long.fromNumber(2 ** 31) }],
  [{ $mul: { a: new Double(2.5) } }, {}, { a: new Double(0) }],
  [{ $mul: { a: Decimal128.fromString('1.5') } }, { a: 2 }, { a: Decimal128.fromString('3.0') }],
  [{ $min: { a: 1, b: 'x' } }, { a: 2, b: 3 }, { a: 1, b: 3 }],
  [{ $max: { a: 1, b: 'x' } }, { a: 2, b: 3 }, { a: 2, b: 'x' }],
  [{ $min: { c: 5 } }, {}, { c: 5 }],
  [{ $bit: { a: { or: 5 } } }, { a: 2 }, { a: 7 }],
  [{ $bit: { a: { and: 6, xor: 3 } } }, { a: 5 }, { a: 7 }],
  [{ $bit: { a: { or: Long.ONE } } }, {}, { a: Long.ONE }],
  [{ $currentDate: { a: true } }, {}, { a: new Date(1_700_000_000_500) }],
  [{ $currentDate: { a: { $type: 'timestamp' } } }, {}, { a: new Timestamp({ t: 1_700_000_000, i: 1 }) }],
  [{ $rename: { a: 'b' } }, { a: 1, c: 2 }, { c: 2, b: 1 }],
  [{ $rename: { a: 'x.y' } }, { a: 1, x: { z: 1 } }, { x: { z: 1, y: 1 } }],
  [{ $rename: { a: 'b' } }, { b: 1 }, { b: 1 }],
  [{ $push: { a: 3 } }, { a: [1] }, { a: [1, 3] }],
  [{ $push: { a: [3] } }, {}, { a: [[3]] }],
  [{ $push: { a: { $each: [3, 1], $sort: 1, $slice: 2 } } }, { a: [2] }, { a: [1, 2] }],
  [
    { $push: { a: { $each: [{ b: 1 }], $sort: { b: -1 }, $slice: -1 } } },
    { a: [{ b: 2 }] },
    { a: [{ b: 1 }] },
  ],
  [{ $push: { a: { $each: [8, 9], $position: -1 } } }, { a: [1, 2] }, { a: [1, 8, 9, 2] }],
  // There are more entries than a function call can have arguments.
  [
    { $push: { a: { $each: Array.from({ length: 200_000 }, () => 1), $slice: 2 } } },
    { a: [3] },
    { a: [3, 1] },
  ],
  [{ $push: { a: { $each: [9], $position: 0 } } }, { a: [1] }, { a: [9, 1] }],
  [{ $addToSet: { a: 2 } }, { a: [1, new Double(2)] }, { a: [1, new Double(2)] }],
  [{ $addToSet: { a: { $each: [2, 3, 3] } } }, { a: [2] }, { a: [2, 3] }],
  [{ $addToSet: { a: [2] } }, {}, { a: [[2]] }],
  [{ $pop: { a: 1 } }, { a: [1, 2] }, { a: [1] }],
  [{ $pop: { a: -1 } }, { a: [1, 2] }, { a: [2] }],
  [{ $pull: { a: 2 } }, { a: [1, 2, 2] }, { a: [1] }],
  [{ $pull: { a: { $gte: 2 } } }, { a: [1, 2, [5], [0]] }, { a: [1, [0]] }],
  [{ $pull: { a: { $and: [{ b: 1 }, { c: 1 }] } } }, { a: [{ b: 1, c: 1 }, { b: 1 }] }, { a: [{ b: 1 }] }],
  [{ $mul: { a: -0 } }, { a: new Double(-0) }, { a: new Double(-0) }],
  [{ $pull: { a: { $all: [1, 2] } } }, { a: [[1, 2], [1]] }, { a: [[1]] }],
  [
    { $pull: { a: { $ref: 'c', $id: 1 } } },
    {
      a: [
        { $ref: 'c', $id: 1 },
        { $ref: 'c', $id: 2 },
      ],
    },
    { a: [{ $ref: 'c', $id: 2 }] },
  ],
  [
    { $pull: { a: { $id: 1 } } },
    { a: [{ $ref: 'c', $id: 1 }, { $ref: 'c', $id: 2 }, 1] },
    { a: [{ $ref: 'c', $id: 2 }, 1] },
  ],
  [{ $pull: { a: { b: 1 } } }, { a: [{ b: 1, c: 1 }, { b: 2 }, 1] }, { a: [{ b: 2 }, 1] }],
  [{ $pull: { a: { $in: ['x', 1] } } }, { a: ['x', 'y', 1] }, { a: ['y'] }],
  [{ $pullAll: { a: [1, { b: 1 }] } }, { a: [1, { b: 1 }, { b: 1, c: 1 }] }, { a: [{ b: 1, c: 1 }] }],
  [{ $set: { 'a.$': 9 } }, { a: [1, 2, 3] }, { a: [1, 9, 3] }, { filter: { a: 2 } }],
  [
    { $set: { 'a.$': 9 } },
    { a: [1, 2], b: [{ c: 0 }] },
    { a: [1, 9], b: [{ c: 0 }] },
    { filter: { a: 2, 'b.0.c': 0 } },
  ],
  [{ $set: { 'a.0.b.$': 9 } }, { a: [{ b: [0, 1] }] }, { a: [{ b: [0, 9] }] }, { filter: { 'a.0.b': 1 } }],
  [{ $set: { 'a.$.b.1': 9 } }, { a: [{ b: [0, 1] }] }, { a: [{ b: [0, 9] }] }, { filter: { 'a.b.1': 1 } }],
  [
    { $inc: { 'a.$.n': 1 } },
    {
      a: [
        { k: 1, n: 1 },
        { k: 2, n: 1 },
      ],
    },
    {
      a: [
        { k: 1, n: 1 },
        { k: 2, n: 2 },
      ],
    },
    { filter: { 'a.k': 2 } },
  ],
  [{ $inc: { 'a.$[]': 1 } }, { a: [1, 2] }, { a: [2, 3] }],
  [{ $set: { 'a.$[x]': 0 } }, { a: [1, 5, 9] }, { a: [1, 0, 0] }, { arrayFilters: [{ x: { $gt: 2 } }] }],
  [
    { $set: { 'a.$[x].c.$[]': 0 } },
    {
      a: [
        { b: 1, c: [1, 2] },
        { b: 2, c: [3] },
      ],
    },
    {
      a: [
        { b: 1, c: [0, 0] },
        { b: 2, c: [3] },
      ],
    },
    { arrayFilters: [{ 'x.b': 1 }] },
  ],
  [
    { $set: { 'a.$[x].p': 1, 'a.$[y].q': 2 } },
    { a: [{ n: 1 }] },
    { a: [{ n: 1, p: 1, q: 2 }] },
    { arrayFilters: [{ 'x.n': 1 }, { 'y.n': { $lt: 5 } }] },
  ],
  [{ $unset: { 'a.$[]': 1 } }, { a: [1] }, { a: [null] }],
];

test('applies modifiers', () => {
  for (const [update, before, after, also] of rows) {
    const { bytes, modified } = apply(update, before, also);
    assert.deepEqual(bytes, raw(after).toBytes(), inspect(update, { depth: 6 }));
    assert.equal(modified, !raw(after).equals(raw(before)), inspect(update, { depth: 6 }));
  }
});

type Refusal = readonly [code: number, update: Document, doc?: Document, also?: Also];

const refused: readonly Refusal[] = [
  [2, { $set: { 'a.$[x]': 1 } }, {}, { arrayFilters: [{ $text: { $search: 'x' } }] }],
  [14, { $mul: { a: 'x' } }],
  [14, { $mul: { a: 1 } }, { a: 'x' }],
  [2, { $mul: { a: 2 } }, { a: Long.MAX_VALUE }],
  [2, { $bit: { a: 1 } }],
  [2, { $bit: { a: {} } }],
  [2, { $bit: { a: { not: 1 } } }],
  [2, { $bit: { a: { or: 1.5 } } }],
  [2, { $bit: { a: { or: 1 } } }, { a: 1.5 }],
  [2, { $currentDate: { a: 1 } }],
  [2, { $currentDate: { a: { $type: 'time' } } }],
  [2, { $rename: { a: 1 } }],
  [2, { $rename: { a: 'a' } }],
  [9867600, { $rename: { a: 'b\0' } }],
  [66, { $rename: { a: '_id' } }, { _id: 1, a: 1 }],
  [28, { $rename: { 'a.b': 'c' } }, { a: 1 }],
  [2, { $rename: { a: 'b.$' } }],
  [2, { $rename: { 'a.b': 'c' } }, { a: [{ b: 1 }] }],
  [2, { $push: { a: 1 } }, { a: 1 }],
  [2, { $push: { a: { $each: 1 } } }],
  [2, { $push: { a: { $each: [], $slice: 1.5 } } }],
  [2, { $push: { a: { $each: [], $sort: 2 } } }],
  [2, { $push: { a: { $each: [], $other: 2 } } }],
  [14, { $addToSet: { a: { $each: 1 } } }],
  [2, { $addToSet: { a: 1 } }, { a: 1 }],
  [9, { $pop: { a: 2 } }],
  [14, { $pop: { a: 1 } }, { a: 1 }],
  [28, { $pop: { 'a.b': 1 } }, { a: 1 }],
  [28, { $pop: { 'a.b.c': 1 } }, { a: { b: 1 } }],
  [28, { $pop: { 'a.b': 1 } }, { a: [1, 2] }],
  [2, { $pull: { a: 1 } }, { a: 1 }],
  [2, { $pullAll: { a: 1 } }],
  [2, { $set: { 'a.$': 1 } }, { a: [1] }],
  [2, { $set: { 'a.$.b.$': 1 } }],
  [2, { $set: { '$.a': 1 } }],
  [2, { $set: { 'a.$[x]': 1 } }],
  [2, { $set: { 'a.$[]': 1 } }, { a: 1 }],
  [2, { $set: { 'a.$[]': 1 } }, {}],
  [9, { $set: { a: 1 } }, {}, { arrayFilters: [{ x: 1 }] }],
  [9, { $set: { 'a.$[x]': 1 } }, {}, { arrayFilters: [{ x: 1, y: 1 }] }],
  [9, { $set: { 'a.$[x]': 1 } }, {}, { arrayFilters: [{ x: 1 }, { x: 2 }] }],
  [2, { $set: { 'a.$[X]': 1 } }, {}, { arrayFilters: [{ X: 1 }] }],
  [40, { $set: { 'a.$[x]': 1, 'a.$[]': 2 } }, { a: [1] }, { arrayFilters: [{ x: 1 }] }],
  [9, { b: 1 }, {}, { arrayFilters: [{ x: 1 }] }],
];

test('rejects invalid updates', () => {
  for (const [code, update, doc = {}, also] of refused) {
    assert.throws(() => apply(update, doc, also), { code }, inspect([update, doc], { depth: 6 }));
  }
});

function pipeline(stages: readonly Document[]) {
  const spec = raw({ stages }).get('stages');
  assert.ok(spec);
  return compileUpdate(spec);
}

test('updates a document by a pipeline, which keeps its _id', () => {
  const { bytes, modified } = pipeline([{ $project: { b: '$a', _id: 0 } }]).apply(raw({ _id: 1, a: 2 }));
  assert.deepEqual(plain([new RawDocument(bytes)]), [{ _id: 1, b: 2 }]);
  assert.ok(modified);
  assert.throws(() => pipeline([{ $project: { _id: { $literal: 5 } } }]).apply(raw({ _id: 1 })), {
    code: 66,
  });
  assert.throws(() => pipeline([{ $match: {} }]), { code: 72 });
});
