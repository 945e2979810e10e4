import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ dropDatabase: 1 });
  cluster.run({ dropDatabase: 1, $db: 'other' });
});

const list = (more: Document = {}) => cluster.run({ listCollections: 1, ...more }).cursor.firstBatch;
const names = (more: Document = {}) => list(more).map(({ name }: Document) => name);

describe('drop', () => {
  it('removes a collection with its documents, and succeeds if it is missing', () => {
    cluster.run({ insert: 'a', documents: [{ _id: 1 }] });
    assert.deepEqual(cluster.run({ drop: 'a' }), { nIndexesWas: 1, ns: 'test.a', ok: 1 });
    assert.deepEqual(cluster.run({ drop: 'a' }), { ok: 1 });
    cluster.run({ insert: 'a', documents: [{ _id: 1 }] });
    assert.equal(cluster.run({ count: 'a' }).n, 1);
  });
});

describe('listCollections', () => {
  it('lists all collections of a database by name', () => {
    cluster.run({ insert: 'b', documents: [{}] });
    cluster.run({ create: 'a' });
    cluster.run({ create: 'x', $db: 'other' });
    const [first, second] = list();
    const { info, ...rest } = first;
    assert.deepEqual(rest, {
      name: 'a',
      type: 'collection',
      options: {},
      idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
    });
    assert.equal(info.readOnly, false);
    assert.match(String(info.uuid), /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    assert.notDeepEqual(info.uuid, second.info.uuid);
    assert.equal(cluster.run({ listCollections: 1 }).cursor.ns, 'test.$cmd.listCollections');
  });

  it('filters by the fields it returns', () => {
    for (const create of ['a', 'b', 'c']) cluster.run({ create });
    assert.deepEqual(names({ filter: { name: { $in: ['a', 'c'] } } }), ['a', 'c']);
    assert.deepEqual(list({ nameOnly: true, filter: { name: 'b' } }), [{ name: 'b', type: 'collection' }]);
    assert.deepEqual(list({ nameOnly: true, filter: { 'idIndex.name': '_id_' } }), []);
  });

  it('returns batches', () => {
    for (const create of ['a', 'b', 'c']) cluster.run({ create });
    const { id, firstBatch } = cluster.run({ listCollections: 1, cursor: { batchSize: 2 } }).cursor;
    assert.equal(firstBatch.length, 2);
    const next = cluster.run({ getMore: id, collection: '$cmd.listCollections' }).cursor;
    assert.deepEqual([next.nextBatch.length, next.id], [1, 0n]);
  });

  it('returns names of readable collections to callers without the privilege', () => {
    for (const create of ['a', 'b']) cluster.run({ create });
    const user = {
      username: 'u',
      database: 'admin',
      roles: [{ role: 'read', database: 'test', collection: 'b' }],
    };
    assert.equal(cluster.run({ listCollections: 1 }, { user }).code, 13);
    const command = { listCollections: 1, nameOnly: true, authorizedCollections: true };
    assert.deepEqual(cluster.run(command, { user }).cursor.firstBatch, [{ name: 'b', type: 'collection' }]);
  });
});

describe('listDatabases', () => {
  const databases = (more: Document = {}) => cluster.run({ listDatabases: 1, $db: 'admin', ...more });

  it('returns the databases that have collections, with sizes', () => {
    cluster.run({ insert: 'a', documents: [{ pad: 'x'.repeat(20_000) }] });
    cluster.run({ create: 'b', $db: 'other' });
    const { databases: found, totalSize, ok } = databases();
    assert.equal(ok, 1);
    assert.deepEqual(
      found.map(({ name, empty }: Document) => ({ name, empty })),
      [
        { name: 'admin', empty: false },
        { name: 'config', empty: false },
        { name: 'local', empty: false },
        { name: 'other', empty: false },
        { name: 'test', empty: false },
      ],
    );
    assert.ok(found.at(-1).sizeOnDisk > 20_000n);
    assert.equal(
      totalSize,
      found.reduce((sum: bigint, { sizeOnDisk }: Document) => sum + sizeOnDisk, 0n),
    );
  });

  it('filters, and returns names only', () => {
    cluster.run({ create: 'a' });
    cluster.run({ create: 'a', $db: 'other' });
    assert.deepEqual(databases({ nameOnly: true, filter: { name: 'test' } }), {
      databases: [{ name: 'test' }],
      ok: 1,
    });
  });

  it('returns readable databases to callers without the privilege', () => {
    cluster.run({ create: 'a' });
    cluster.run({ create: 'a', $db: 'other' });
    const user = { username: 'u', database: 'admin', roles: [{ role: 'read', database: 'test' }] };
    const { databases: found } = cluster.run({ listDatabases: 1, nameOnly: true, $db: 'admin' }, { user });
    assert.deepEqual(found, [{ name: 'test' }]);
  });

  it('runs on admin only', () => {
    assert.equal(databases({ $db: 'test' }).code, 13);
  });
});

describe('dropDatabase', () => {
  it('removes all collections of the database and of no other', () => {
    cluster.run({ create: 'a' });
    cluster.run({ create: 'b' });
    cluster.run({ create: 'a', $db: 'other' });
    for (const _ of [1, 2]) assert.deepEqual(cluster.run({ dropDatabase: 1 }), { ok: 1 });
    assert.deepEqual(names(), []);
    assert.deepEqual(names({ $db: 'other' }), ['a']);
  });

  it('requires the number 1', () => {
    assert.equal(cluster.run({ dropDatabase: 2 }).code, 5255100);
    assert.equal(cluster.run({ dropDatabase: 'x' }).code, 14);
    assert.equal(cluster.run({ dropDatabase: null }).code, 40414);
  });
});
