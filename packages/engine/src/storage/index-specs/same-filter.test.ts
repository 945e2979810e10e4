import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Document, Double, Long } from 'bson';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { sameFilter } from './same-filter.ts';

const same = (a: Document, b: Document) =>
  sameFilter(new RawDocument(encodeDocument(a)), new RawDocument(encodeDocument(b)));

const equal: ReadonlyArray<[Document, Document]> = [
  [{}, {}],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [{ a: 1 }, { a: { $eq: new Double(1) } }],
  [{ a: 1 }, { $and: [{ a: Long.fromNumber(1) }] }],
  [{ a: 1, b: 2 }, { $and: [{ b: 2 }, { $and: [{ a: 1 }] }] }],
  [{ a: { $gt: 1, $lt: 5 } }, { $and: [{ a: { $lt: 5 } }, { a: { $gt: 1 } }] }],
  [{ $or: [{ a: 1 }, { b: 2, c: 3 }] }, { $or: [{ c: 3, b: 2 }, { a: 1 }] }],
  [{ $or: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }],
  [{ a: { $in: [2, 1, 2] } }, { a: { $in: [1, 2] } }],
  [{ a: { $in: [7] } }, { a: 7 }],
  [{ a: { $exists: true } }, { a: { $exists: 1 } }],
];

const different: ReadonlyArray<[Document, Document]> = [
  [{}, { a: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { b: 1 }],
  [{ a: { $gt: 1 } }, { a: { $gte: 1 } }],
  [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }],
  [{ a: 1, b: 2 }, { $or: [{ a: 1 }, { b: 2 }] }],
  [{ $or: [{ a: 1 }, { b: 2, c: 3 }] }, { $or: [{ a: 1, b: 2 }, { c: 3 }] }],
  [{ a: { $in: [1, 2] } }, { a: { $in: [1, 2, 3] } }],
];

for (const [a, b] of equal)
  it(`${JSON.stringify(a)} is ${JSON.stringify(b)}`, () => {
    assert.equal(same(a, b), true);
    assert.equal(same(b, a), true);
  });

for (const [a, b] of different)
  it(`${JSON.stringify(a)} is not ${JSON.stringify(b)}`, () => {
    assert.equal(same(a, b), false);
    assert.equal(same(b, a), false);
  });
