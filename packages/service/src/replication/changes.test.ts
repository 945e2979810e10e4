import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timestamp } from 'mongodb';
import { type Change, writesOf } from './changes.ts';

const change = (operationType: string, more: Partial<Change> = {}): Change => ({
  _id: { _data: '82' },
  operationType,
  clusterTime: new Timestamp({ t: 1, i: 1 }),
  ns: { db: 'harbour', coll: 'ships' },
  documentKey: { _id: 7 },
  ...more,
});
const plain = { sharded: false, exact: false };
const sharded = { sharded: true, exact: false };
const filter = { _id: 7 };

test('an insert replaces a document that may exist, and stays an insert where none can', () => {
  const fullDocument = { _id: 7, name: 'Beagle' };
  const insert = change('insert', { fullDocument });
  assert.deepEqual(writesOf(insert, plain), [
    { replaceOne: { filter, replacement: fullDocument, upsert: true } },
  ]);
  assert.deepEqual(writesOf(insert, { ...plain, exact: true }), [{ insertOne: { document: fullDocument } }]);
  // A replacement without the shard key would find no document.
  assert.deepEqual(writesOf(insert, sharded), [
    { deleteMany: { filter } },
    { insertOne: { document: fullDocument } },
  ]);
});

test('a field whose name looks like an operator is kept', () => {
  const fullDocument = { _id: 7, $set: 1 };
  assert.deepEqual(writesOf(change('replace', { fullDocument }), plain), [
    { deleteOne: { filter } },
    { insertOne: { document: fullDocument } },
  ]);
});

test('an update repeats the change, and truncates arrays before setting elements', () => {
  const updateDescription = {
    updatedFields: { 'crew.0': 'Ada', tons: 3 },
    removedFields: ['flag'],
    truncatedArrays: [{ field: 'crew', newSize: 2 }],
  };
  const update = change('update', { updateDescription });
  const cut = { $push: { crew: { $each: [], $slice: 2 } } };
  const set = { $set: { 'crew.0': 'Ada', tons: 3 }, $unset: { flag: '' } };
  assert.deepEqual(writesOf(update, plain), [
    { updateOne: { filter, update: cut } },
    { updateOne: { filter, update: set } },
  ]);
  assert.deepEqual(writesOf(update, sharded), [
    { updateMany: { filter, update: cut } },
    { updateMany: { filter, update: set } },
  ]);
});

test('a path that update operators would misread causes the document to be read again', () => {
  for (const updateDescription of [
    { updatedFields: { 'a.b': 1 }, disambiguatedPaths: { 'a.b': ['a.b'] } },
    { updatedFields: { 'a.$b': 1 } },
    { removedFields: ['a..b'] },
  ])
    assert.equal(writesOf(change('update', { updateDescription }), plain), undefined);
});

test('a deletion finds the document by its id', () => {
  assert.deepEqual(writesOf(change('delete'), plain), [{ deleteOne: { filter } }]);
  assert.deepEqual(writesOf(change('delete'), sharded), [{ deleteMany: { filter } }]);
});
