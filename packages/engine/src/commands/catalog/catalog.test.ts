import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Binary, type Document, UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'a', documents: [{ _id: 2 }, { _id: 1 }] });
  cluster.run({ insert: 'b', documents: [{ _id: 'b' }] });
});
afterEach(() => cluster.remove());

const rename = (renameCollection: unknown, to: unknown, more: Document = {}) =>
  cluster.run({ renameCollection, to, $db: 'admin', ...more });

describe('renameCollection', () => {
  it('does not rename between local and replicated databases', () => {
    const user = { username: 'system', database: 'admin', roles: [{ role: '__system', database: 'admin' }] };
    const run = (command: Document) => cluster.run({ $db: 'admin', ...command }, { user });
    run({ create: 'here', $db: 'test' });
    run({ create: 'there', $db: 'local' });
    assert.equal(run({ renameCollection: 'test.here', to: 'local.here' }).code, 20);
    assert.equal(run({ renameCollection: 'local.there', to: 'test.there' }).code, 20);
    assert.equal(run({ renameCollection: 'local.there', to: 'local.where' }).ok, 1);
    run({ drop: 'here', $db: 'test' });
    run({ drop: 'where', $db: 'local' });
  });

  it('keeps documents and their order, within a database and between two', () => {
    assert.equal(rename('test.a', 'test.c').ok, 1);
    assert.deepEqual(cluster.documents('c'), [{ _id: 2 }, { _id: 1 }]);
    assert.deepEqual(cluster.documents('a'), []);
    assert.equal(rename('test.c', 'other.c').ok, 1);
    assert.equal(cluster.run({ count: 'c', $db: 'other' }).n, 2);
  });

  it('renames a collection without copying it', () => {
    cluster.run({ createIndexes: 'a', indexes: [{ key: { x: 1 }, name: 'x_1' }] });
    const uuidOf = (name: string) =>
      String(cluster.run({ listCollections: 1, filter: { name } }).cursor.firstBatch[0].info.uuid);
    const uuid = uuidOf('a');
    rename('test.a', 'test.c');
    assert.equal(uuidOf('c'), uuid);
    assert.equal(cluster.run({ listIndexes: 'c' }).cursor.firstBatch.length, 2);
    cluster.reopen();
    assert.equal(uuidOf('c'), uuid);
    assert.deepEqual(cluster.documents('c'), [{ _id: 2 }, { _id: 1 }]);
  });

  it('ends cursors on the old name', () => {
    const { id } = cluster.run({ find: 'a', batchSize: 1 }).cursor;
    rename('test.a', 'test.c');
    assert.equal(cluster.run({ getMore: id, collection: 'a' }).code, 175);
  });

  it('replaces an existing collection with dropTarget', () => {
    assert.equal(rename('test.a', 'test.b').code, 48);
    assert.equal(rename('test.a', 'test.b', { dropTarget: true }).ok, 1);
    assert.deepEqual(cluster.documents('b'), [{ _id: 2 }, { _id: 1 }]);
  });

  it('replaces the collection with a given UUID, and no other', () => {
    const { cursor } = cluster.run({ listCollections: 1, filter: { name: 'b' } });
    assert.equal(rename('test.a', 'test.b', { dropTarget: new UUID() }).code, 361);
    assert.equal(rename('test.a', 'test.none', { dropTarget: new UUID() }).code, 361);
    assert.equal(rename('test.a', 'other.b', { dropTarget: new UUID() }).code, 72);
    assert.equal(rename('test.a', 'test.b', { dropTarget: new Binary(new Uint8Array(16)) }).code, 207);
    assert.equal(rename('test.a', 'test.b', { dropTarget: cursor.firstBatch[0].info.uuid }).ok, 1);
    assert.equal(rename('test.b', 'test.c', { dropTarget: 1 }).code, 14);
  });

  it('replaces neither views nor time series', () => {
    cluster.run({ create: 'view', viewOn: 'a', pipeline: [] });
    cluster.run({ create: 'series', timeseries: { timeField: 't' } });
    for (const name of ['view', 'series']) {
      assert.equal(rename('test.a', `test.${name}`, { dropTarget: true }).code, 48);
    }
  });

  it('logs a replaced target in a single oplog entry', () => {
    assert.equal(rename('test.a', 'test.b', { dropTarget: true }).ok, 1);
    const { cursor } = cluster.run({
      find: 'oplog.rs',
      filter: { op: 'c', $or: [{ 'o.drop': 'b' }, { 'o.renameCollection': 'test.a' }] },
      $db: 'local',
    });
    assert.deepEqual(
      cursor.firstBatch.map(({ o }: Document) => Object.keys(o)[0]),
      ['renameCollection'],
    );
  });

  const refused: Array<[string, unknown, unknown, number]> = [
    ['a missing collection', 'test.none', 'test.c', 26],
    ['its own name', 'test.a', 'test.a', 20],
    ['a name without a database', 'a', 'test.c', 73],
    ['a name with a dollar sign', 'test.a', 'test.$c', 20],
    ['a name that is no string', 'test.a', 1, 14],
  ];
  for (const [what, from, to, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(rename(from, to).code, code));
  }

  it('requires more privileges between databases than within one', () => {
    const user = { ...admin, roles: [{ role: 'readWrite', database: 'test' }] };
    const run = (to: string) => cluster.run({ renameCollection: 'test.a', to, $db: 'admin' }, { user });
    assert.equal(run('other.a').code, 13);
    assert.equal(run('test.c').ok, 1);
  });
});

describe('collMod', () => {
  const modify = (more: Document = {}) => cluster.run({ collMod: 'a', ...more });

  it('succeeds without changes', () => {
    assert.deepEqual(modify(), { ok: 1 });
    assert.equal(modify({ collMod: 'none' }).code, 26);
  });

  const refused: Array<[string, Document, number]> = [
    ['a missing index', { index: { name: 'a_1', hidden: true } }, 27],
    ['the index of _id', { index: { keyPattern: { _id: 1 }, hidden: true } }, 2],
    ['an index without a name', { index: { hidden: true } }, 72],
    ['a size for a collection that is not capped', { cappedSize: 1 }, 72],
    ['a pipeline for a collection that is not a view', { viewOn: 'b', pipeline: [] }, 72],
    ['images without enabled', { changeStreamPreAndPostImages: {} }, 40414],
    ['an unknown field', { foo: 1 }, 40415],
    ['a dry run without changes', { dryRun: true }, 72],
    ['a dry run of hiding', { index: { name: '_id_', hidden: true }, dryRun: true }, 72],
  ];
  for (const [what, change, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(modify(change).code, code));
  }
});

describe('argument checks', () => {
  it('convertToCapped has one error for all invalid sizes', () => {
    for (const size of ['1', true, null, -1, 0, {}]) {
      assert.equal(cluster.run({ convertToCapped: 'a', size }).code, 72);
    }
  });

  it('cloneCollectionAsCapped rejects invalid names, and buckets', () => {
    const user = { ...admin, roles: [{ role: '__system', database: 'admin' }] };
    const clone = (from: string, toCollection: string) =>
      cluster.run({ cloneCollectionAsCapped: from, toCollection, size: 1000 }, { user }).code;
    assert.equal(clone('a$', 'c'), 73);
    assert.equal(clone('system.buckets.a', 'c'), 20);
    assert.equal(clone('a', 'system.buckets.c'), 20);
  });

  it('collMod of a view rejects invalid names', () => {
    cluster.run({ create: 'view', viewOn: 'a', pipeline: [] });
    for (const viewOn of ['.a', '$a', 'a\0']) {
      assert.equal(cluster.run({ collMod: 'view', viewOn }).code, 73);
    }
  });

  it('listDatabases rejects filters that only apply to collections', () => {
    const list = (filter: Document) => cluster.run({ listDatabases: 1, filter, $db: 'admin' }).code;
    assert.equal(list({ name: { $near: [0, 0] } }), 5626500);
    assert.equal(list({ $text: { $search: 'a' } }), 2);
  });

  it('validateDBMetadata rejects invalid names, and null for a boolean', () => {
    const validate = (more: Document, strict: unknown = true) =>
      cluster.run({ validateDBMetadata: 1, apiParameters: { version: '1', strict }, ...more }).code;
    for (const collection of ['', '.a', 'a\0']) assert.equal(validate({ db: 'test', collection }), 73);
    assert.equal(validate({ db: 'test' }, null), 14);
  });

  it('create in a transaction rejects an existing collection', () => {
    assert.equal(cluster.run({ create: 'a', ...transaction() }).code, 48);
    assert.equal(cluster.run({ create: 'a' }).ok, 1);
  });

  it('transactions cannot create views and time series, or insert into time series', () => {
    const timeseries = { timeField: 't' };
    assert.equal(cluster.run({ create: 'view', viewOn: 'a', ...transaction() }).code, 263);
    assert.equal(cluster.run({ create: 'series', timeseries, ...transaction() }).code, 263);
    assert.equal(cluster.run({ create: 'series', timeseries }).ok, 1);
    const documents = [{ t: new Date(0) }];
    const reply = cluster.run({ insert: 'series', documents, ...transaction() });
    assert.equal(reply.code ?? reply.writeErrors?.[0].code, 263);
    assert.equal(cluster.run({ insert: 'series', documents }).n, 1);
  });
});

function transaction(): Document {
  return { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false, startTransaction: true };
}
