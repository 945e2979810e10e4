import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BSONRegExp, type Document, ObjectId, Timestamp } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { compileFilter } from '../filter/index.ts';
import { prepareInsert } from '../insert.ts';
import { raw } from '../testing/documents.ts';
import { valueFrom } from '../testing/values.ts';
import { compileUpdate } from './index.ts';

const made = new ObjectId('0123456789abcdef01234567');
const newId = () => valueFrom(made);

function upsert(filter: Document, update: Document): Document {
  const bytes = compileUpdate(raw(update)).insertFrom(compileFilter(raw(filter)), newId);
  return RawDocument.of(bytes).toObject();
}

const cases: ReadonlyArray<readonly [Document, Document, Document]> = [
  [{ _id: 1, a: 1, b: 2 }, { $set: { c: 3 } }, { _id: 1, a: 1, b: 2, c: 3 }],
  [{ _id: 1, a: { $gt: 5 } }, { $set: { c: 3 } }, { _id: 1, c: 3 }],
  [
    { a: { $eq: 1 }, $and: [{ b: 2 }, { c: { $in: [3] } }] },
    { $set: { d: 4 } },
    { _id: made, a: 1, b: 2, c: 3, d: 4 },
  ],
  [{ $or: [{ a: 1 }] }, { $inc: { n: 1 } }, { _id: made, a: 1, n: 1 }],
  [{ $or: [{ a: 1 }, { b: 1 }] }, { $inc: { n: 1 } }, { _id: made, n: 1 }],
  [{ 'a.b': 5, 'a.c': 6 }, { $set: { x: 1 } }, { _id: made, a: { b: 5, c: 6 }, x: 1 }],
  [{ a: 1, _id: 7 }, { $set: { x: 1 } }, { _id: 7, a: 1, x: 1 }],
  [{ a: 1 }, { $set: { _id: 7 } }, { _id: 7, a: 1 }],
  [{ a: 1 }, { $inc: { a: 4 } }, { _id: made, a: 5 }],
  [{ a: 1 }, { $unset: { a: 1 } }, { _id: made }],
  [{ _id: 1 }, { $setOnInsert: { a: 1 }, $set: { b: 2 } }, { _id: 1, a: 1, b: 2 }],
  [{ _id: 1 }, { $setOnInsert: { $a: 1 } }, { _id: 1, $a: 1 }],
  [{ _id: 1, a: 5 }, { b: 1 }, { _id: 1, b: 1 }],
  [{ a: 5 }, { b: 1 }, { _id: made, b: 1 }],
  [{ _id: { $all: [1] } }, { b: 1 }, { _id: 1, b: 1 }],
  [{ a: 1, $and: [{ a: 2 }], 'a.b': 3 }, { b: 1 }, { _id: made, b: 1 }],
  [{}, { b: 1, _id: 9 }, { _id: 9, b: 1 }],
];

test('builds the document of an upsert from equalities of the filter and the update', () => {
  for (const [filter, update, expected] of cases) {
    const doc = upsert(filter, update);
    assert.deepEqual(doc, expected);
    assert.deepEqual(Object.keys(doc), Object.keys(expected));
  }
});

const refused: ReadonlyArray<readonly [Document, Document, number]> = [
  [{ a: 1, 'a.b': 2 }, { $set: { c: 1 } }, 54],
  [{ 'a.b': 2, a: 1 }, { $set: { c: 1 } }, 54],
  [{ a: 1, $and: [{ a: 1 }] }, { $set: { c: 1 } }, 54],
  [{ _id: 1 }, { $set: { _id: 2 } }, 66],
  [{ _id: 1 }, { _id: 2 }, 66],
  [{ a: 1 }, { $set: { 'a.b': 1 } }, 28],
  [{ _id: [1] }, { $set: { a: 1 } }, 53],
  [{ _id: { $all: [1, 2] } }, { a: 1 }, 54],
  [{ $and: [{ _id: 1 }, { _id: 2 }] }, { a: 1 }, 54],
  [{ $and: [{ _id: 1 }, { _id: 2 }] }, { _id: 1 }, 54],
  [{ '_id.x': 1 }, { a: 1 }, 111],
  [{ _id: { x: 1 }, '_id.x': 1 }, { a: 1 }, 111],
  [{ _id: 1, '_id.x': 1 }, { $set: { a: 1 } }, 54],
];

test('rejects an upsert whose filter and update contradict each other', () => {
  for (const [filter, update, code] of refused) assert.throws(() => upsert(filter, update), { code });
});

test('moves the _id of an inserted document to the front', () => {
  assert.deepEqual(prepareInsert(raw({ a: 1 }), newId).toObject(), { _id: made, a: 1 });
  const moved = prepareInsert(raw({ a: 1, _id: 5, b: 2 }), newId);
  assert.ok(moved.equals(raw({ _id: 5, a: 1, b: 2 })));
  const ready = raw({ _id: null, a: new Timestamp(5n) });
  assert.equal(prepareInsert(ready, newId), ready);
});

test('rejects a document with an invalid _id', () => {
  for (const id of [[1], new BSONRegExp('x')]) {
    assert.throws(() => prepareInsert(raw({ _id: id }), newId), { code: 53 });
  }
  assert.throws(() => prepareInsert(raw({ _id: { $a: 1 } }), newId), { code: 52 });
  assert.throws(() => prepareInsert(raw({ a: 'x'.repeat(2 ** 24) }), newId), { code: 10334 });
});
