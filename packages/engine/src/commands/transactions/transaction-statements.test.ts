import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import type { TestCluster } from '../../worker/testing.ts';
import { clusterWithDocuments, insert, Session } from './testing-transactions.ts';

let cluster: TestCluster;
let one: Session;
let two: Session;

beforeEach(() => {
  cluster = clusterWithDocuments();
  one = new Session(cluster);
  two = new Session(cluster);
});

afterEach(() => cluster.remove());

describe('a statement of a transaction', () => {
  const begun = () => {
    one.begin().run(insert(4));
    return one;
  };
  const refused: Array<[string, () => Document, number]> = [
    ['that is not supported', () => one.begin().run({ count: 'c' }), 263],
    ['that cannot come first', () => one.begin().run({ killCursors: 'c', cursors: [] }), 263],
    ...['admin', 'config', 'local'].map((database): [string, () => Document, number] => [
      `of the database ${database}`,
      () => one.begin().run({ find: 'c', $db: database }),
      263,
    ]),
    [
      'that writes to the database admin in bulk',
      () => {
        const ops = [{ insert: 0, document: {} }];
        return one.begin().run({ bulkWrite: 1, ops, nsInfo: [{ ns: 'admin.c' }], $db: 'admin' });
      },
      263,
    ],
    ['with other API parameters', () => begun().run({ find: 'c', apiVersion: '1' }), 347],
    [
      'with a stage not allowed in transactions',
      () => one.begin().run({ aggregate: 'c', pipeline: [{ $out: 'x' }], cursor: {} }),
      263,
    ],
    ['of no transaction', () => two.run({ find: 'c', txnNumber: 1n }), 251],
    ['with a write concern', () => one.begin().run({ ...insert(4), writeConcern: { w: 1 } }), 72],
    ['that starts it twice', () => begun().run({ ...insert(5), startTransaction: true }), 117],
    ['with a read concern that is not the first', () => begun().run({ find: 'c', readConcern: {} }), 72],
    [
      'with an unknown level',
      () => one.begin().run({ find: 'c', readConcern: { level: 'linearizable' } }),
      72,
    ],
  ];
  for (const [name, run, code] of refused) it(`${name} is rejected`, () => assert.equal(run().code, code));

  it('may have snapshot read concern', () => {
    assert.equal(one.begin().run({ find: 'c', readConcern: { level: 'snapshot' } }).ok, 1);
  });

  it('creates a collection or an index explicitly only with the read concern local', () => {
    const create = { create: 'fresh' };
    const index = { createIndexes: 'fresh', indexes: [{ key: { a: 1 }, name: 'a' }] };
    for (const level of ['majority', 'snapshot']) {
      for (const command of [create, index]) {
        assert.equal(one.begin().run({ ...command, readConcern: { level } }).code, 263);
        assert.equal(one.begin().run({ find: 'c', readConcern: { level } }).ok, 1);
        assert.equal(one.run(command).code, 263);
      }
      assert.equal(one.begin().run({ insert: 'fresh', documents: [{}], readConcern: { level } }).ok, 1);
      one.abort();
    }
    for (const more of [{}, { readConcern: {} }, { readConcern: { level: 'local' } }]) {
      assert.equal(one.begin().run({ ...create, ...more }).ok, 1);
      assert.equal(one.run(index).ok, 1);
      one.abort();
    }
  });

  it('does not write to system collections', () => {
    const q = { _id: 1 };
    const writes: Document[] = [
      { insert: 'system.js', documents: [q] },
      { update: 'system.js', updates: [{ q, u: { $set: { a: 1 } } }] },
      { delete: 'system.js', deletes: [{ q, limit: 1 }] },
      { findAndModify: 'system.js', query: q, remove: true },
      { bulkWrite: 1, ops: [{ insert: 0, document: q }], nsInfo: [{ ns: 'test.system.js' }], $db: 'admin' },
    ];
    for (const write of writes) assert.equal(one.begin().run(write).code, 50791);
    assert.equal(one.begin().run({ find: 'system.js' }).ok, 1);
    one.abort();
    assert.equal(cluster.run({ insert: 'system.js', documents: [q] }).ok, 1);
  });

  it('cannot end a transaction outside one', () => {
    assert.equal(cluster.run({ commitTransaction: 1, $db: 'admin' }).code, 125);
    assert.equal(cluster.run({ abortTransaction: 1, $db: 'admin' }).code, 125);
  });
});
