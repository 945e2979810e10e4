import { type Item, specification } from './testing.ts';
import { casesOf, ofEleven, type Row } from './testing-crud.ts';

const caseless = { locale: 'en_US', strength: 2 };
const words = [
  { _id: 1, word: 'ping' },
  { _id: 2, word: 'pong' },
];
const nested = [{ _id: 1, y: [{ b: 3 }, { b: 1 }] }];
const after = { returnDocument: 'after' } as const;

const updates: readonly Row[] = [
  {
    name: 'returns the previous document',
    run: (items) => items.findOneAndUpdate({ _id: 2 }, { $inc: { x: 1 } }),
    result: { _id: 2, x: 22 },
    stored: [...ofEleven(1), { _id: 2, x: 23 }, ...ofEleven(3)],
  },
  {
    name: 'returns the new document',
    run: (items) => items.findOneAndUpdate({ _id: 2 }, { $inc: { x: 1 } }, after),
    result: { _id: 2, x: 23 },
  },
  {
    name: 'returns null without a match',
    run: (items) => items.findOneAndUpdate({ _id: 9 }, { $inc: { x: 1 } }),
    result: null,
  },
  {
    name: 'returns the upserted document',
    run: (items) => items.findOneAndUpdate({ _id: 4 }, { $inc: { x: 44 } }, { ...after, upsert: true }),
    result: { _id: 4, x: 44 },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'returns null for an upserted document',
    run: (items) => items.findOneAndUpdate({ _id: 4 }, { $inc: { x: 44 } }, { upsert: true }),
    result: null,
  },
  {
    name: 'uses the first document of a sort order, with a projection',
    run: (items) =>
      items.findOneAndUpdate(
        { _id: { $gt: 1 } },
        { $inc: { x: 1 } },
        { ...after, sort: { x: -1 }, projection: { _id: 0, x: 1 } },
      ),
    result: { x: 34 },
  },
  {
    name: 'supports array filters',
    given: nested,
    run: (items) =>
      items.findOneAndUpdate({}, { $set: { 'y.$[i].b': 2 } }, { ...after, arrayFilters: [{ 'i.b': 3 }] }),
    result: { _id: 1, y: [{ b: 2 }, { b: 1 }] },
  },
  {
    name: 'supports a pipeline and variables',
    run: (items) =>
      items.findOneAndUpdate({ $expr: { $eq: ['$_id', '$$id'] } }, [{ $set: { x: '$$to' } }], {
        ...after,
        let: { id: 1, to: 'foo' },
      }),
    result: { _id: 1, x: 'foo' },
  },
  {
    name: 'supports a collation',
    given: words,
    run: (items) =>
      items.findOneAndUpdate({ word: 'PING' }, { $set: { word: 'pang' } }, { ...after, collation: caseless }),
    result: { _id: 1, word: 'pang' },
  },
  {
    name: 'supports a hint and a comment',
    indexes: [{ x: 1 }],
    run: (items) =>
      items.findOneAndUpdate({ x: 22 }, { $inc: { x: 1 } }, { ...after, hint: { x: 1 }, comment: 'why' }),
    result: { _id: 2, x: 23 },
    sent: { findAndModify: { hint: { x: 1 }, comment: 'why' } },
  },
  {
    name: 'rejects a hint for a missing index',
    run: (items) => items.findOneAndUpdate({}, { $inc: { x: 1 } }, { hint: { gone: 1 } }),
    code: 2,
  },
  {
    name: 'includes result metadata on request',
    run: (items) => items.findOneAndUpdate({ _id: 2 }, { $inc: { x: 1 } }, { includeResultMetadata: true }),
    result: { value: { _id: 2, x: 22 }, lastErrorObject: { n: 1, updatedExisting: true }, ok: 1 },
  },
  {
    name: 'refuses to change the _id',
    run: (items) => items.findOneAndUpdate({ _id: 1 }, { $set: { _id: 9 } }),
    code: 66,
  },
];

const replacements: readonly Row[] = [
  {
    name: 'returns the previous document',
    run: (items) => items.findOneAndReplace({ _id: 2 }, { x: 32 }),
    result: { _id: 2, x: 22 },
    stored: [...ofEleven(1), { _id: 2, x: 32 }, ...ofEleven(3)],
  },
  {
    name: 'returns the new document, with a sort order',
    run: (items) =>
      items.findOneAndReplace({}, { x: 32 }, { ...after, sort: { x: -1 }, projection: { _id: 0, x: 1 } }),
    result: { x: 32 },
  },
  {
    name: 'inserts a document by an upsert',
    run: (items) => items.findOneAndReplace({ _id: 4 }, { x: 44 }, { ...after, upsert: true }),
    result: { _id: 4, x: 44 },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'returns null without a match',
    run: (items) => items.findOneAndReplace({ _id: 9 }, { x: 1 }),
    result: null,
  },
  {
    name: 'keeps fields with dots',
    run: (items) => items.findOneAndReplace({ _id: 1 }, { 'a.b': 1 } as unknown as Item, after),
    stored: [{ _id: 1, 'a.b': 1 }, ...ofEleven(2, 3)],
  },
];

const deletes: readonly Row[] = [
  {
    name: 'returns the deleted document',
    run: (items) => items.findOneAndDelete({ _id: 2 }),
    result: { _id: 2, x: 22 },
    stored: ofEleven(1, 3),
  },
  {
    name: 'deletes the first document of a sort order, with a projection',
    run: (items) => items.findOneAndDelete({}, { sort: { x: -1 }, projection: { _id: 0, x: 1 } }),
    result: { x: 33 },
    stored: ofEleven(1, 2),
  },
  {
    name: 'returns null without a match',
    run: (items) => items.findOneAndDelete({ _id: 9 }),
    result: null,
  },
  {
    name: 'supports a collation',
    given: words,
    run: (items) => items.findOneAndDelete({ word: 'PONG' }, { collation: caseless }),
    result: { _id: 2, word: 'pong' },
  },
  {
    name: 'supports variables and a hint',
    indexes: [{ x: 1 }],
    run: (items) =>
      items.findOneAndDelete({ $expr: { $eq: ['$x', '$$x'] } }, { let: { x: 11 }, hint: { x: 1 } }),
    result: { _id: 1, x: 11 },
  },
];

specification('CRUD: find and modify', {
  findOneAndUpdate: casesOf(updates),
  findOneAndReplace: casesOf(replacements),
  findOneAndDelete: casesOf(deletes),
});
