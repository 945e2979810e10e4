import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});
afterEach(() => cluster.remove());

const commands = (name: string): [string, Document][] => [
  ['insert', { insert: name, documents: [{ a: 1 }] }],
  ['update', { update: name, updates: [{ q: {}, u: { $set: { a: 2 } } }] }],
  ['delete', { delete: name, deletes: [{ q: { a: 3 }, limit: 0 }] }],
  ['find', { find: name }],
  ['aggregate', { aggregate: name, pipeline: [], cursor: {} }],
  ['createIndexes', { createIndexes: name, indexes: [{ key: { a: 1 }, name: 'a' }] }],
  ['dropIndexes', { dropIndexes: name, index: 'a' }],
  ['collMod', { collMod: name }],
];

describe('collectionUUID', () => {
  it('must match the named collection', () => {
    for (const name of ['one', 'two']) cluster.run({ insert: name, documents: [{ a: 1 }] });
    const infos = cluster.run({ listCollections: 1, filter: { name: 'one' } }).cursor.firstBatch;
    const collectionUUID = infos[0].info.uuid;
    for (const [command, body] of commands('one')) {
      assert.equal(cluster.run({ ...body, collectionUUID }).ok, 1, command);
      const { code, actualCollection } = cluster.run({ ...body, collectionUUID: new UUID() });
      assert.deepEqual([code, actualCollection], [361, null], command);
    }
    for (const [command, body] of commands('two')) {
      const { code, db, expectedCollection, actualCollection } = cluster.run({ ...body, collectionUUID });
      const reported = [code, db, expectedCollection, actualCollection];
      assert.deepEqual(reported, [361, 'test', 'two', 'one'], command);
    }
  });
});

describe('encrypted data', () => {
  const encryptionInformation = { type: 1, schema: {} };
  const bodies = [
    ...commands('c').slice(0, 5),
    ['count', { count: 'c' }] as const,
    ['findAndModify', { findAndModify: 'c', remove: true }] as const,
  ];
  for (const [command, body] of bodies) {
    it(`is accepted by ${command}`, () => {
      assert.equal(cluster.run({ ...body, encryptionInformation }).ok, 1);
    });
  }
});

describe('a time series in a transaction', () => {
  const timeseries = { timeField: 'at', metaField: 'm' };
  const update = { q: { m: 1 }, u: { $set: { m: 2 } }, multi: true };
  const writes: [string, Document][] = [
    ['Cannot insert into a time-series', { insert: 't', documents: [{ at: new Date(0), m: 1 }] }],
    ['Cannot perform a multi-document transaction', { update: 't', updates: [update] }],
    ['Cannot perform a multi-document transaction', { delete: 't', deletes: [{ q: { m: 1 }, limit: 0 }] }],
    ['Cannot perform a multi-document transaction', { findAndModify: 't', query: { m: 1 }, remove: true }],
    [
      'Cannot insert into a time-series',
      {
        bulkWrite: 1,
        ops: [{ insert: 0, document: { at: new Date(0), m: 1 } }],
        nsInfo: [{ ns: 'test.t' }],
        $db: 'admin',
      },
    ],
  ];
  for (const [message, body] of writes) {
    it(`rejects ${Object.keys(body)[0]}`, () => {
      cluster.run({ create: 't', timeseries });
      const transaction = {
        lsid: { id: new UUID() },
        txnNumber: 1n,
        autocommit: false,
        startTransaction: true,
      };
      const { code, errmsg } = cluster.run({ ...body, ...transaction });
      assert.equal(code, 263);
      assert.ok(errmsg.startsWith(message) && errmsg.endsWith(': test.t'), errmsg);
    });
  }
});
