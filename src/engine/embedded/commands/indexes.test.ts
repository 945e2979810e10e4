import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ create: 'c' });
});
after(() => cluster.remove());

describe('indexes', () => {
  it('listIndexes shows the index of _id', () => {
    assert.deepEqual(cluster.run({ listIndexes: 'c' }).cursor, {
      firstBatch: [{ v: 2, key: { _id: 1 }, name: '_id_' }],
      id: 0n,
      ns: 'test.c',
    });
    assert.equal(cluster.run({ listIndexes: 'none' }).code, 26);
  });

  const create = (...indexes: Document[]) => cluster.run({ createIndexes: 'c', indexes });

  it('createIndexes says that the index of _id is there', () => {
    assert.deepEqual(create({ key: { _id: 1 }, name: '_id_' }), {
      numIndexesBefore: 1,
      numIndexesAfter: 1,
      createdCollectionAutomatically: false,
      note: 'all indexes already exist',
      ok: 1,
    });
  });

  it('createIndexes makes a collection that is not there', () => {
    const reply = cluster.run({ createIndexes: 'made', indexes: [{ key: { _id: 1 }, name: '_id_' }] });
    assert.equal(reply.createdCollectionAutomatically, true);
    assert.equal(cluster.run({ listIndexes: 'made' }).ok, 1);
  });

  const refused: Array<[string, Document[], number]> = [
    ['an index that cannot be built yet', [{ key: { a: 1 }, name: 'a_1' }], 115],
    ['nothing', [], 2],
    ['an index without a key', [{ name: 'a_1' }], 9],
    ['an index without a name', [{ key: { a: 1 } }], 9],
    ['an empty key', [{ key: {}, name: 'x' }], 67],
    ['a direction of 0', [{ key: { a: 0 }, name: 'x' }], 67],
    ['an unknown kind', [{ key: { a: 'foo' }, name: 'x' }], 67],
    ['an unknown option', [{ key: { a: 1 }, name: 'x', foo: 1 }], 197],
  ];
  for (const [what, indexes, code] of refused) {
    it(`createIndexes refuses ${what}`, () => assert.equal(create(...indexes).code, code));
  }

  it('dropIndexes leaves the index of _id alone', () => {
    assert.equal(cluster.run({ dropIndexes: 'c', index: '*' }).nIndexesWas, 1);
    assert.equal(cluster.run({ dropIndexes: 'c', index: '_id_' }).code, 72);
    assert.equal(cluster.run({ dropIndexes: 'c', index: { _id: 1 } }).code, 72);
    assert.equal(cluster.run({ dropIndexes: 'c', index: ['a_1'] }).code, 27);
    assert.equal(cluster.run({ dropIndexes: 'c', index: 1 }).code, 14);
    assert.equal(cluster.run({ dropIndexes: 'none', index: '*' }).code, 26);
  });
});
