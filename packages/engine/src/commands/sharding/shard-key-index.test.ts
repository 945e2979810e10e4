import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { info, TestCluster, testMember } from '../../worker/testing.ts';

const root = { username: 'ada', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster({}, { unsynced: true });
  const router = {
    ...testMember(9, { state: 'SECONDARY', priority: 0 }),
    id: 'router',
    kind: 'router' as const,
  };
  cluster.configure({ shardNames: ['s0'], members: [...info.members, router] });
  // The configuration takes effect when the clock advances.
  cluster.clock.advance(1);
});
afterEach(() => cluster.remove());

function run(command: Document, db = 'admin'): Document {
  return cluster.run({ ...command, $db: db }, { member: 'router', user: root });
}

const insert = (name: string, ...documents: Document[]) => run({ insert: name, documents }, 'shop');
const createIndex = (name: string, key: Document, more: Document = {}) =>
  run({ createIndexes: name, indexes: [{ key, name: 'own', ...more }] }, 'shop');
const shard = (name: string, key: Document, more: Document = {}) =>
  run({ shardCollection: `shop.${name}`, key, ...more });
const indexNames = (name: string) =>
  run({ listIndexes: name }, 'shop').cursor.firstBatch.map((index: Document) => index.name);

const MISSING = /create an index that starts with the proposed shard key/;

function assertRefused(reply: Document, message: RegExp): void {
  assert.deepEqual([reply.ok, reply.code], [0, 72]);
  assert.match(reply.errmsg, message);
}

describe('shardCollection', () => {
  it('creates the index of the shard key for an empty collection', () => {
    assert.equal(shard('empty', { a: 1 }).ok, 1);
    assert.deepEqual(indexNames('empty'), ['_id_', 'a_1']);
  });

  it('requires the index if the collection has documents', () => {
    insert('full', { a: 1 });
    assertRefused(shard('full', { a: 1 }), MISSING);
    assertRefused(shard('full', { _id: 'hashed' }), MISSING);
    assert.equal(shard('full', { _id: 1 }).ok, 1);
  });

  it('accepts an index that starts with the shard key, and creates no other', () => {
    createIndex('full', { a: 1, b: 1 });
    insert('full', { a: 1 });
    assert.equal(shard('full', { a: 1 }).ok, 1);
    assert.deepEqual(indexNames('full'), ['_id_', 'own']);
  });

  for (const [title, key, more] of [
    ['sparse', { a: 1 }, { sparse: true }],
    ['partial', { a: 1 }, { partialFilterExpression: { a: { $gt: 0 } } }],
    ['collated', { a: 1 }, { collation: { locale: 'en' } }],
    ['descending', { a: -1 }, {}],
    ['hashed', { a: 'hashed' }, {}],
    ['hidden', { a: 1 }, { hidden: true }],
    ['other', { b: 1, a: 1 }, {}],
  ] as const) {
    it(`does not accept a ${title} index`, () => {
      createIndex('full', key, more);
      insert('full', { a: 1 });
      assertRefused(shard('full', { a: 1 }), MISSING);
    });
  }

  it('does not accept an index of arrays', () => {
    createIndex('full', { a: 1, b: 1 });
    insert('full', { a: 1, b: [1, 2] });
    assertRefused(shard('full', { a: 1 }), MISSING);
  });

  it('refuses unique indexes that shards cannot enforce', () => {
    createIndex('full', { email: 1 }, { unique: true });
    assertRefused(shard('full', { a: 1 }), /with unique index on \{ email: 1 \}/);
  });

  it('refuses a unique shard key with an index that is not unique', () => {
    createIndex('full', { a: 1 });
    assertRefused(shard('full', { a: 1 }, { unique: true }), /index not unique/);
  });
});

describe('refineCollectionShardKey', () => {
  it('requires the index even if the collection is empty', () => {
    shard('empty', { a: 1 });
    const refine = { refineCollectionShardKey: 'shop.empty', key: { a: 1, b: 1 } };
    assertRefused(run(refine), MISSING);
    createIndex('empty', { a: 1, b: 1 });
    assert.equal(run(refine).ok, 1);
  });
});
