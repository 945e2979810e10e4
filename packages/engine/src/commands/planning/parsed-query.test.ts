import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Document, Int32 } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { parsedQuery } from './parsed-query.ts';

const shown = (filter: Document) => parsedQuery(RawDocument.from(filter)).toObject();
const cases: ReadonlyArray<readonly [Document, Document]> = [
  [{}, {}],
  [{ a: 1 }, { a: { $eq: 1 } }],
  [{ a: null }, { a: { $eq: null } }],
  [{ a: { b: 1 } }, { a: { $eq: { b: 1 } } }],
  [{ a: { $ref: 'c', $id: 1 } }, { a: { $eq: { $ref: 'c', $id: 1 } } }],
  [{ a: { $gt: 1, $lt: 5 } }, { $and: [{ a: { $lt: 5 } }, { a: { $gt: 1 } }] }],
  [{ b: { $gte: 2 }, a: 1, c: 3 }, { $and: [{ a: { $eq: 1 } }, { c: { $eq: 3 } }, { b: { $gte: 2 } }] }],
  [{ $and: [{ a: 1 }, { $and: [{ b: 2 }] }] }, { $and: [{ a: { $eq: 1 } }, { b: { $eq: 2 } }] }],
  [{ $and: [{ a: 1 }] }, { a: { $eq: 1 } }],
  [{ a: { $in: [3, 1, 3] } }, { a: { $in: [1, 3] } }],
  [{ a: { $in: [3] } }, { a: { $eq: 3 } }],
  [{ a: { $in: [] } }, { $alwaysFalse: new Int32(1) }],
  [{ a: { $ne: 1 } }, { a: { $not: { $eq: 1 } } }],
  [{ a: { $nin: [1, 2] } }, { a: { $not: { $in: [1, 2] } } }],
  [{ a: { $nin: [] } }, { $nor: [{ $alwaysFalse: 1 }] }],
  [{ a: { $not: { $gt: 1 } } }, { a: { $not: { $gt: 1 } } }],
  [{ a: { $not: { $ne: 1 } } }, { a: { $eq: 1 } }],
  [{ a: { $not: { $gt: 1, $lt: 5 } } }, { $nor: [{ $and: [{ a: { $lt: 5 } }, { a: { $gt: 1 } }] }] }],
  [{ a: { $exists: 1 } }, { a: { $exists: true } }],
  [{ a: { $exists: false } }, { a: { $not: { $exists: true } } }],
  [{ a: /x/i }, { a: { $regex: 'x', $options: 'i' } }],
  [{ a: { $regex: 'x', $options: 'm' } }, { a: { $regex: 'x', $options: 'm' } }],
  [{ a: { $in: [/x/] } }, { a: { $regex: 'x' } }],
  [{ a: { $all: [1, 2] } }, { $and: [{ a: { $eq: 1 } }, { a: { $eq: 2 } }] }],
  [
    { a: { $elemMatch: { b: 1, c: { $gt: 2 } } } },
    { a: { $elemMatch: { $and: [{ b: { $eq: 1 } }, { c: { $gt: 2 } }] } } },
  ],
  [{ a: { $elemMatch: { $gt: 1, $lt: 5 } } }, { a: { $elemMatch: { $gt: 1, $lt: 5 } } }],
  [
    { $or: [{ b: 1 }, { a: { $gt: 2 }, c: 1 }] },
    { $or: [{ b: { $eq: 1 } }, { $and: [{ c: { $eq: 1 } }, { a: { $gt: 2 } }] }] },
  ],
  [{ $or: [{ a: 1 }] }, { a: { $eq: 1 } }],
  [{ $nor: [{ a: 1 }] }, { $nor: [{ a: { $eq: 1 } }] }],
  [{ $comment: 'x', a: { $mod: [2, 1] } }, { a: { $mod: [2, 1] } }],
  [{ $expr: { $gt: ['$a', '$b'] }, a: 1 }, { $and: [{ a: { $eq: 1 } }, { $expr: { $gt: ['$a', '$b'] } }] }],
];

describe('the shown form of a filter', () => {
  for (const [filter, expected] of cases) {
    it(`of ${JSON.stringify(filter)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(shown(filter))), JSON.parse(JSON.stringify(expected)));
    });
  }
});
