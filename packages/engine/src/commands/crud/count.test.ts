import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Decimal128, type Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: Array.from({ length: 10 }, (_, i) => ({ _id: i, x: i % 4 })) });
});
after(() => cluster.remove());

describe('count', () => {
  const cases: Array<[string, Document, number]> = [
    ['all', {}, 10],
    ['all with an empty query', { query: {} }, 10],
    ['what a query matches', { query: { x: 1 } }, 3],
    ['what a query on _id matches', { query: { _id: { $gte: 7 } } }, 3],
    ['after a skip', { skip: 4 }, 6],
    ['after a skip beyond the end', { skip: 40 }, 0],
    ['after a skip truncated to an integer', { skip: 2.9 }, 8],
    ['after a decimal skip rounded half to even', { skip: Decimal128.fromString('2.5') }, 8],
    ['up to a limit', { limit: 3 }, 3],
    ['up to a negative limit as to a positive one', { limit: -3 }, 3],
    ['all with a limit of 0', { limit: 0 }, 10],
    ['with query, skip and limit', { query: { x: { $lt: 3 } }, skip: 1, limit: 5 }, 5],
  ];
  for (const [what, more, n] of cases) {
    it(`counts ${what}`, () => {
      assert.deepEqual(cluster.run({ count: 'c', ...more }), { n, ok: 1 });
    });
  }

  it('counts nothing in a missing collection', () => {
    assert.deepEqual(cluster.run({ count: 'nowhere', query: { a: 1 } }), { n: 0, ok: 1 });
  });

  it('rejects invalid names and queries', () => {
    assert.equal(cluster.run({ count: null }).code, 73);
    assert.equal(cluster.run({ count: 1 }).code, 73);
    assert.equal(cluster.run({ count: 'c', query: { $frob: 1 } }).code, 2);
    assert.equal(cluster.run({ count: 'c', query: 1 }).code, 14);
    assert.equal(cluster.run({ count: 'c', skip: -1 }).code, 2);
    assert.equal(cluster.run({ count: 'c', limit: 'x' }).code, 2);
    assert.equal(cluster.run({ count: 'c', limit: 1.5 }).code, 9);
    assert.equal(cluster.run({ count: 'c', limit: null }).code, 2);
  });

  it('rejects invalid hints and unusable indexes', () => {
    for (const hint of [null, 1, true, ['x']]) assert.equal(cluster.run({ count: 'c', hint }).code, 9);
    const indexes = [
      { key: { '$**': 1 }, name: 'all' },
      { key: { t: 'text' }, name: 'text' },
    ];
    cluster.run({ createIndexes: 'c', indexes });
    assert.equal(cluster.run({ count: 'c', hint: 'all' }).code, 291);
    assert.equal(cluster.run({ count: 'c', hint: 'all', query: { x: 1 } }).n, 3);
    assert.equal(cluster.run({ count: 'c', hint: 'text', query: { $text: { $search: 'a' } } }).code, 2);
  });
});
