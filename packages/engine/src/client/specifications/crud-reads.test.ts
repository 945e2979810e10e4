import { specification } from './testing.ts';
import { casesOf, ofEleven, type Row } from './testing-crud.ts';

const six = ofEleven(1, 2, 3, 4, 5, 6);
const caseless = { locale: 'en_US', strength: 2 };
const words = [
  { _id: 1, word: 'ping' },
  { _id: 2, word: 'pong' },
  { _id: 3, word: 'PONG' },
];

const find: readonly Row[] = [
  { name: 'by a filter', given: six, run: (items) => items.find({ _id: 1 }).toArray(), result: ofEleven(1) },
  {
    name: 'with a sort, a skip and a limit',
    given: six,
    run: (items) => items.find({ _id: { $gt: 2 } }, { sort: { _id: 1 }, skip: 2, limit: 2 }).toArray(),
    result: ofEleven(5, 6),
  },
  {
    name: 'in several batches',
    given: six,
    run: (items) => items.find({ _id: { $gt: 1 } }, { sort: { _id: 1 }, batchSize: 2, limit: 4 }).toArray(),
    result: ofEleven(2, 3, 4, 5),
    sent: { find: { batchSize: 2, limit: 4 }, getMore: { batchSize: 2 } },
  },
  { name: 'one', run: (items) => items.findOne({ x: 22 }), result: { _id: 2, x: 22 } },
  { name: 'none', run: (items) => items.findOne({ x: 23 }), result: null },
  {
    name: 'with a projection',
    run: (items) => items.find({ _id: 2 }, { projection: { _id: 0, x: 1 } }).toArray(),
    result: [{ x: 22 }],
  },
  {
    name: 'with allowDiskUse',
    run: (items) => items.find({}, { allowDiskUse: true, sort: { x: -1 } }).toArray(),
    result: ofEleven(3, 2, 1),
    sent: { find: { allowDiskUse: true } },
  },
  {
    name: 'without allowDiskUse',
    run: (items) => items.find({}, { allowDiskUse: false, sort: { x: 1 } }).toArray(),
    result: ofEleven(1, 2, 3),
  },
  {
    name: 'with variables',
    run: (items) => items.find({ $expr: { $eq: ['$_id', '$$id'] } }, { let: { id: 1 } }).toArray(),
    result: ofEleven(1),
    sent: { find: { let: { id: 1 } } },
  },
  {
    name: 'with a collation',
    given: words,
    run: (items) => items.find({ word: 'PING' }, { collation: caseless }).toArray(),
    result: [words[0]],
  },
  {
    name: 'with a comment of any type',
    run: (items) => items.find({ _id: 1 }, { comment: { key: 'value' } }).toArray(),
    result: ofEleven(1),
    sent: { find: { comment: { key: 'value' } } },
  },
  {
    name: 'with a hint by name and by key',
    indexes: [{ x: 1 }],
    run: async (items) => [
      ...(await items.find({ x: 11 }, { hint: 'x_1' }).toArray()),
      ...(await items.find({ x: 22 }, { hint: { x: 1 } }).toArray()),
    ],
    result: ofEleven(1, 2),
  },
  {
    name: 'with a hint for a missing index',
    run: (items) => items.find({}, { hint: 'gone' }).toArray(),
    code: 2,
  },
  { name: 'with an unknown operator', run: (items) => items.find({ $foo: 1 }).toArray(), code: 2 },
];

const aggregate: readonly Row[] = [
  {
    name: 'in several batches',
    given: six,
    run: (items) => items.aggregate([{ $match: { _id: { $gt: 1 } } }], { batchSize: 2 }).toArray(),
    result: ofEleven(2, 3, 4, 5, 6),
    sent: { aggregate: { cursor: { batchSize: 2 } }, getMore: { batchSize: 2 } },
  },
  {
    name: 'into a collection with $out',
    run: async (items, { db }) => {
      await items
        .aggregate([{ $sort: { x: 1 } }, { $match: { _id: { $gt: 1 } } }, { $out: 'made' }])
        .toArray();
      return db.collection('made').find().toArray();
    },
    result: ofEleven(2, 3),
  },
  {
    name: 'into a collection with $merge',
    run: async (items, { db }) => {
      await db.collection('merged').deleteMany({});
      await items.aggregate([{ $match: { _id: { $gt: 1 } } }, { $merge: { into: 'merged' } }]).toArray();
      return db.collection('merged').find().toArray();
    },
    result: ofEleven(2, 3),
  },
  {
    name: 'with variables',
    run: (items) =>
      items
        .aggregate(
          [{ $match: { $expr: { $eq: ['$_id', '$$id'] } } }, { $project: { _id: 0, x: 1, y: '$$foo' } }],
          {
            let: { id: 1, foo: 'bar' },
          },
        )
        .toArray(),
    result: [{ x: 11, y: 'bar' }],
  },
  {
    name: 'with an undefined variable',
    run: (items) => items.aggregate([{ $match: { $expr: { $eq: ['$_id', '$$myId'] } } }]).toArray(),
    code: 17276,
  },
  {
    name: 'with a collation',
    given: words,
    run: (items) => items.aggregate([{ $match: { word: 'PING' } }], { collation: caseless }).toArray(),
    result: [words[0]],
  },
  {
    name: 'with a comment and allowDiskUse',
    run: (items) =>
      items.aggregate([{ $match: { _id: 1 } }], { comment: 'why', allowDiskUse: true }).toArray(),
    result: ofEleven(1),
    sent: { aggregate: { comment: 'why', allowDiskUse: true } },
  },
  {
    name: 'of the database',
    run: (_items, { db }) =>
      db.aggregate([{ $documents: [{ a: 1 }, { a: 2 }] }, { $match: { a: 2 } }]).toArray(),
    result: [{ a: 2 }],
  },
  {
    name: 'of the current operations',
    run: (_items, { client }) =>
      client
        .db('admin')
        .aggregate([{ $currentOp: { allUsers: false } }, { $limit: 1 }, { $project: { _id: 0, type: 1 } }])
        .toArray(),
    result: [{ type: 'op' }],
  },
];

const counts: readonly Row[] = [
  { name: 'countDocuments of all', run: (items) => items.countDocuments(), result: 3 },
  {
    name: 'countDocuments by a filter',
    run: (items) => items.countDocuments({ _id: { $gt: 1 } }),
    result: 2,
  },
  {
    name: 'countDocuments with a skip and a limit',
    run: (items) => items.countDocuments({}, { skip: 1, limit: 3 }),
    result: 2,
  },
  { name: 'countDocuments of nothing', given: [], run: (items) => items.countDocuments({}), result: 0 },
  {
    name: 'countDocuments with a collation',
    given: words,
    run: (items) => items.countDocuments({ word: 'PONG' }, { collation: caseless }),
    result: 2,
  },
  { name: 'estimatedDocumentCount', run: (items) => items.estimatedDocumentCount(), result: 3 },
  {
    name: 'estimatedDocumentCount of a missing collection',
    run: (_items, { db }) => db.collection('absent').estimatedDocumentCount(),
    result: 0,
  },
  {
    name: 'estimatedDocumentCount of a view',
    run: async (_items, { db }) => {
      await db.collection('seen').drop();
      await db.createCollection('seen', { viewOn: 'items', pipeline: [{ $match: { _id: { $gt: 1 } } }] });
      return db.collection('seen').estimatedDocumentCount();
    },
    result: 2,
  },
  {
    name: 'count, the command, with a filter, a skip and a limit',
    run: (_items, { db }) => db.command({ count: 'items', query: { _id: { $gt: 1 } }, skip: 1, limit: 5 }),
    result: { n: 1 },
  },
  { name: 'distinct values', run: (items) => items.distinct('x'), result: [11, 22, 33] },
  {
    name: 'distinct values by a filter',
    run: (items) => items.distinct('x', { _id: { $gt: 1 } }),
    result: [22, 33],
  },
  {
    name: 'distinct values with a collation',
    given: words,
    run: (items) => items.distinct('word', {}, { collation: caseless }),
    result: ['ping', 'pong'],
  },
  {
    name: 'distinct values with a comment',
    run: (items) => items.distinct('x', {}, { comment: { key: 'value' } }),
    result: [11, 22, 33],
    sent: { distinct: { comment: { key: 'value' } } },
  },
];

specification('CRUD: reads', {
  find: casesOf(find),
  aggregate: casesOf(aggregate),
  'count and distinct': casesOf(counts),
});
