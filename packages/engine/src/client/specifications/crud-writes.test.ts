import { type Item, specification } from './testing.ts';
import { casesOf, ofEleven, type Row } from './testing-crud.ts';

const caseless = { locale: 'en_US', strength: 2 };
const words = [
  { _id: 1, word: 'ping' },
  { _id: 2, word: 'pong' },
  { _id: 3, word: 'pONG' },
];
const nested = [
  { _id: 1, y: [{ b: 3 }, { b: 1 }] },
  { _id: 2, y: [{ b: 0 }, { b: 1 }] },
];
const filters = { arrayFilters: [{ 'i.b': 3 }] };
const dollars = { _id: 4, $a: 1, 'b.c': 2 } as Item;

const inserts: readonly Row[] = [
  {
    name: 'one',
    run: (items) => items.insertOne({ _id: 4, x: 44 }),
    result: { acknowledged: true, insertedId: 4 },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'a duplicate',
    run: (items) => items.insertOne({ _id: 1, x: 0 }),
    code: 11000,
    stored: ofEleven(1, 2, 3),
  },
  {
    name: 'many',
    run: (items) => items.insertMany(ofEleven(4, 5)),
    result: { insertedCount: 2, insertedIds: { 0: 4, 1: 5 } },
    stored: ofEleven(1, 2, 3, 4, 5),
  },
  {
    name: 'many with a duplicate, ordered',
    run: (items) => items.insertMany([{ _id: 4, x: 44 }, { _id: 1 }, { _id: 5, x: 55 }]),
    code: 11000,
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'many with a duplicate, unordered',
    run: (items) => items.insertMany([{ _id: 4, x: 44 }, { _id: 1 }, { _id: 5, x: 55 }], { ordered: false }),
    code: 11000,
    stored: ofEleven(1, 2, 3, 4, 5),
  },
  {
    name: 'fields with a leading dollar sign or dots',
    run: (items) => items.insertOne(dollars),
    stored: [...ofEleven(1, 2, 3), dollars],
  },
  {
    name: 'a dollar sign in the _id',
    run: (items) => items.insertOne({ _id: { $a: 1 } } as unknown as Item),
    code: 52,
  },
  {
    name: 'dots in the _id',
    run: (items) => items.insertOne({ _id: { 'a.b': 1 } } as unknown as Item),
    result: { acknowledged: true },
  },
  {
    name: 'with a comment',
    run: (items) => items.insertOne({ _id: 4, x: 44 }, { comment: 'why' }),
    sent: { insert: { comment: 'why' } },
  },
  {
    name: 'without an acknowledgement',
    run: async (items) => (await items.insertOne({ _id: 4, x: 44 }, { writeConcern: { w: 0 } })).acknowledged,
    result: false,
  },
];

const deletes: readonly Row[] = [
  {
    name: 'one',
    run: (items) => items.deleteOne({ _id: 2 }),
    result: { deletedCount: 1 },
    stored: ofEleven(1, 3),
  },
  {
    name: 'the first of many',
    run: (items) => items.deleteOne({ _id: { $gt: 1 } }),
    result: { deletedCount: 1 },
    stored: ofEleven(1, 3),
  },
  { name: 'none', run: (items) => items.deleteOne({ _id: 9 }), result: { deletedCount: 0 } },
  {
    name: 'many',
    run: (items) => items.deleteMany({ _id: { $gt: 1 } }),
    result: { deletedCount: 2 },
    stored: ofEleven(1),
  },
  {
    name: 'with a collation',
    given: words,
    run: (items) => items.deleteMany({ word: 'PONG' }, { collation: caseless }),
    result: { deletedCount: 2 },
  },
  {
    name: 'with a hint',
    indexes: [{ x: 1 }],
    run: (items) => items.deleteOne({ x: 22 }, { hint: 'x_1' }),
    result: { deletedCount: 1 },
    stored: ofEleven(1, 3),
  },
  {
    name: 'with a hint for a missing index',
    run: (items) => items.deleteMany({ _id: 1 }, { hint: 'gone' }),
    code: 2,
  },
  {
    name: 'with variables and a comment',
    run: (items) => items.deleteOne({ $expr: { $eq: ['$_id', '$$id'] } }, { let: { id: 3 }, comment: 1 }),
    result: { deletedCount: 1 },
    stored: ofEleven(1, 2),
    sent: { delete: { comment: 1, let: { id: 3 } } },
  },
];

const updates: readonly Row[] = [
  {
    name: 'one',
    run: (items) => items.updateOne({ _id: { $gt: 1 } }, { $inc: { x: 1 } }),
    result: { matchedCount: 1, modifiedCount: 1, upsertedCount: 0, upsertedId: null },
    stored: [...ofEleven(1), { _id: 2, x: 23 }, ...ofEleven(3)],
  },
  {
    name: 'one without a change',
    run: (items) => items.updateOne({ _id: 1 }, { $set: { x: 11 } }),
    result: { matchedCount: 1, modifiedCount: 0 },
  },
  {
    name: 'none',
    run: (items) => items.updateOne({ _id: 9 }, { $inc: { x: 1 } }),
    result: { matchedCount: 0, modifiedCount: 0 },
  },
  {
    name: 'none, with an upsert',
    run: (items) => items.updateOne({ _id: 4 }, { $inc: { x: 44 } }, { upsert: true }),
    result: { matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: 4 },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'many',
    run: (items) => items.updateMany({ _id: { $gt: 1 } }, { $inc: { x: 1 } }),
    result: { matchedCount: 2, modifiedCount: 2 },
    stored: [...ofEleven(1), { _id: 2, x: 23 }, { _id: 3, x: 34 }],
  },
  {
    name: 'array elements of one document',
    given: nested,
    run: (items) => items.updateOne({}, { $set: { 'y.$[i].b': 2 } }, filters),
    result: { modifiedCount: 1 },
    stored: [{ _id: 1, y: [{ b: 2 }, { b: 1 }] }, nested[1] as Item],
  },
  {
    name: 'array elements of many documents',
    given: nested,
    run: (items) => items.updateMany({}, { $set: { 'y.$[i].b': 2 } }, { arrayFilters: [{ 'i.b': 1 }] }),
    result: { modifiedCount: 2 },
    stored: [
      { _id: 1, y: [{ b: 3 }, { b: 2 }] },
      { _id: 2, y: [{ b: 0 }, { b: 2 }] },
    ],
  },
  {
    name: 'with a pipeline',
    run: (items) =>
      items.updateOne({ _id: 1 }, [{ $replaceWith: { x: { $add: ['$x', 1] } } }, { $set: { y: true } }]),
    stored: [{ _id: 1, x: 12, y: true }, ...ofEleven(2, 3)],
  },
  {
    name: 'with variables',
    run: (items) =>
      items.updateOne({ $expr: { $eq: ['$_id', '$$id'] } }, [{ $set: { x: '$$to' } }], {
        let: { id: 1, to: 'foo' },
      }),
    stored: [{ _id: 1, x: 'foo' }, ...ofEleven(2, 3)],
  },
  {
    name: 'the first in a sort order',
    run: (items) => items.updateOne({ _id: { $gt: 1 } }, { $set: { x: 1 } }, { sort: { _id: -1 } }),
    stored: [...ofEleven(1, 2), { _id: 3, x: 1 }],
  },
  {
    name: 'with a collation',
    given: words,
    run: (items) => items.updateMany({ word: 'PONG' }, { $set: { x: 1 } }, { collation: caseless }),
    result: { modifiedCount: 2 },
  },
  {
    name: 'with a hint',
    indexes: [{ x: 1 }],
    run: (items) => items.updateOne({ x: 22 }, { $inc: { x: 1 } }, { hint: { x: 1 } }),
    result: { modifiedCount: 1 },
  },
  {
    name: 'with a hint for a missing index',
    run: (items) => items.updateMany({}, { $inc: { x: 1 } }, { hint: 'gone' }),
    code: 2,
  },
  {
    name: 'of conflicting paths',
    run: (items) => items.updateOne({}, { $set: { a: 1, 'a.b': 2 } }),
    code: 40,
  },
  { name: 'of the _id', run: (items) => items.updateOne({ _id: 1 }, { $set: { _id: 5 } }), code: 66 },
  {
    name: 'of fields with a leading dollar sign, by a pipeline',
    run: (items) =>
      items.updateOne({ _id: 1 }, [
        { $replaceWith: { $setField: { field: { $literal: '$a' }, value: 1, input: '$$ROOT' } } },
      ]),
    stored: [{ _id: 1, x: 11, $a: 1 }, ...ofEleven(2, 3)],
  },
];

const replacements: readonly Row[] = [
  {
    name: 'one',
    run: (items) => items.replaceOne({ _id: { $gt: 1 } }, { x: 111 }),
    result: { matchedCount: 1, modifiedCount: 1 },
    stored: [...ofEleven(1), { _id: 2, x: 111 }, ...ofEleven(3)],
  },
  {
    name: 'none, with an upsert',
    run: (items) => items.replaceOne({ _id: 4 }, { x: 44 }, { upsert: true }),
    result: { upsertedCount: 1, upsertedId: 4 },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'the first in a sort order',
    run: (items) => items.replaceOne({}, { x: 1 }, { sort: { _id: -1 } }),
    stored: [...ofEleven(1, 2), { _id: 3, x: 1 }],
  },
  {
    name: 'with another _id',
    run: (items) => items.replaceOne({ _id: 1 }, { _id: 7, x: 1 } as Item),
    code: 66,
  },
  {
    name: 'with dots in field names',
    run: (items) => items.replaceOne({ _id: 1 }, { 'a.b': 1, c: { $d: 1 } } as unknown as Item),
    stored: [{ _id: 1, 'a.b': 1, c: { $d: 1 } }, ...ofEleven(2, 3)],
  },
];

specification('CRUD: writes', {
  insert: casesOf(inserts),
  delete: casesOf(deletes),
  update: casesOf(updates),
  replace: casesOf(replacements),
});
