import assert from 'node:assert/strict';
import type { AnyClientBulkWriteModel, Document } from 'mongodb';
import { specification } from './testing.ts';
import { casesOf, ofEleven, type Row } from './testing-crud.ts';

const nested = [{ _id: 1, y: [{ b: 3 }, { b: 1 }] }];

const collection: readonly Row[] = [
  {
    name: 'of every kind, in order',
    run: (items) =>
      items.bulkWrite([
        { insertOne: { document: { _id: 4, x: 44 } } },
        { updateOne: { filter: { _id: 1 }, update: { $inc: { x: 1 } } } },
        { updateMany: { filter: { _id: { $gt: 1 } }, update: { $inc: { x: 1 } } } },
        { replaceOne: { filter: { _id: 5 }, replacement: { x: 55 }, upsert: true } },
        { deleteOne: { filter: { _id: 2 } } },
        { deleteMany: { filter: { _id: { $in: [3, 4] } } } },
      ]),
    result: {
      insertedCount: 1,
      matchedCount: 4,
      modifiedCount: 4,
      deletedCount: 3,
      upsertedCount: 1,
      upsertedIds: { 3: 5 },
    },
    stored: [
      { _id: 1, x: 12 },
      { _id: 5, x: 55 },
    ],
  },
  {
    name: 'ends at the first that fails, in order',
    run: (items) =>
      items.bulkWrite([
        { insertOne: { document: { _id: 4, x: 44 } } },
        { insertOne: { document: { _id: 1 } } },
        { insertOne: { document: { _id: 5, x: 55 } } },
      ]),
    code: 11000,
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'continues after a failure if unordered',
    run: (items) =>
      items.bulkWrite(
        [
          { insertOne: { document: { _id: 1 } } },
          { insertOne: { document: { _id: 4, x: 44 } } },
          { updateOne: { filter: { _id: 2 }, update: { $set: { x: 22 } } } },
        ],
        { ordered: false },
      ),
    code: 11000,
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'with array filters',
    given: nested,
    run: (items) =>
      items.bulkWrite([
        { updateOne: { filter: {}, update: { $set: { 'y.$[i].b': 2 } }, arrayFilters: [{ 'i.b': 3 }] } },
      ]),
    result: { modifiedCount: 1 },
  },
  {
    name: 'with hints, orders and a comment',
    indexes: [{ x: 1 }],
    run: (items) =>
      items.bulkWrite(
        [
          { updateOne: { filter: { x: 11 }, update: { $set: { y: 1 } }, hint: 'x_1' } },
          { updateOne: { filter: {}, update: { $set: { y: 2 } }, sort: { _id: -1 } } },
          { deleteOne: { filter: { x: 22 }, hint: { x: 1 } } },
        ],
        { comment: 'why' },
      ),
    result: { modifiedCount: 2, deletedCount: 1 },
    stored: [
      { _id: 1, x: 11, y: 1 },
      { _id: 3, x: 33, y: 2 },
    ],
    sent: { update: { comment: 'why' }, delete: { comment: 'why' } },
  },
  {
    name: 'with variables',
    run: (items) =>
      items.bulkWrite(
        [
          { updateOne: { filter: { $expr: { $eq: ['$_id', '$$id'] } }, update: [{ $set: { x: '$$id' } }] } },
          { deleteOne: { filter: { $expr: { $eq: ['$_id', '$$other'] } } } },
        ],
        { let: { id: 1, other: 2 } },
      ),
    stored: [{ _id: 1, x: 1 }, ...ofEleven(3)],
  },
];

const NAMESPACE = 'specifications.items';
const model = (name: AnyClientBulkWriteModel<Document>['name'], rest: Document) =>
  ({ name, namespace: NAMESPACE, ...rest }) as AnyClientBulkWriteModel<Document>;

const models = [
  model('insertOne', { document: { _id: 4, x: 44 } }),
  model('updateOne', { filter: { _id: 1 }, update: { $inc: { x: 1 } } }),
  model('updateMany', { filter: { _id: { $in: [2, 3] } }, update: { $inc: { x: 2 } } }),
  model('replaceOne', { filter: { _id: 5 }, replacement: { x: 55 }, upsert: true }),
  model('deleteOne', { filter: { _id: 2 } }),
  model('deleteMany', { filter: { _id: { $in: [3, 4] } } }),
];

const client: readonly Row[] = [
  {
    name: 'of every kind',
    run: (_items, { client: own }) => own.bulkWrite(models),
    result: { insertedCount: 1, matchedCount: 3, modifiedCount: 3, deletedCount: 3, upsertedCount: 1 },
    stored: [
      { _id: 1, x: 12 },
      { _id: 5, x: 55 },
    ],
    sent: { bulkWrite: { errorsOnly: true, ordered: true } },
  },
  {
    name: 'with the result of each',
    run: async (_items, { client: own }) => {
      const { insertResults, updateResults, deleteResults } = await own.bulkWrite(models, {
        verboseResults: true,
      });
      return [insertResults?.get(0), updateResults?.get(2), updateResults?.get(3), deleteResults?.get(5)];
    },
    result: [
      { insertedId: 4 },
      { matchedCount: 2, modifiedCount: 2, didUpsert: false },
      { matchedCount: 1, modifiedCount: 0, upsertedId: 5, didUpsert: true },
      { deletedCount: 2 },
    ],
  },
  {
    name: 'ends at the first that fails, in order',
    run: async (_items, { client: own }) => {
      const work = own.bulkWrite([
        model('insertOne', { document: { _id: 4, x: 44 } }),
        model('insertOne', { document: { _id: 1 } }),
        model('insertOne', { document: { _id: 5, x: 55 } }),
      ]);
      await assert.rejects(work, (error: { writeErrors?: Map<number, { code: number }> }) => {
        assert.deepEqual(
          [...(error.writeErrors ?? [])].map(([index, { code }]) => [index, code]),
          [[1, 11000]],
        );
        return true;
      });
    },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'continues after failures if unordered',
    run: async (_items, { client: own }) => {
      const work = own.bulkWrite(
        [
          model('insertOne', { document: { _id: 1 } }),
          model('insertOne', { document: { _id: 4, x: 44 } }),
          model('insertOne', { document: { _id: 2 } }),
        ],
        { ordered: false },
      );
      await assert.rejects(work, (error: { writeErrors?: Map<number, unknown> }) => {
        assert.deepEqual([...(error.writeErrors?.keys() ?? [])], [0, 2]);
        return true;
      });
    },
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'in several namespaces',
    run: async (_items, { client: own, db }) => {
      await db.collection('beside').deleteMany({});
      await own.bulkWrite([
        model('insertOne', { document: { _id: 4, x: 44 } }),
        model('insertOne', { namespace: 'specifications.beside', document: { _id: 1 } }),
      ]);
      return db.collection('beside').find().toArray();
    },
    result: [{ _id: 1 }],
    stored: ofEleven(1, 2, 3, 4),
  },
  {
    name: 'with variables, hints, orders and array filters',
    given: nested,
    run: (_items, { client: own }) =>
      own.bulkWrite(
        [
          model('updateOne', {
            filter: { $expr: { $eq: ['$_id', '$$id'] } },
            update: { $set: { 'y.$[i].b': 2 } },
            arrayFilters: [{ 'i.b': 3 }],
            hint: '_id_',
          }),
          model('updateOne', { filter: {}, update: { $set: { z: 1 } }, sort: { _id: -1 } }),
        ],
        { let: { id: 1 }, comment: 'why' },
      ),
    result: { modifiedCount: 2 },
    stored: [{ _id: 1, y: [{ b: 2 }, { b: 1 }], z: 1 }],
  },
];

specification('CRUD: bulk writes', {
  'of a collection': casesOf(collection),
  'of a client': casesOf(client),
});
