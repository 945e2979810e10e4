import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Long } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({
    insert: 'c',
    documents: [
      { _id: 1, v: 2, tags: ['b', 'a'], d: [{ x: 1 }, { x: [2, 3] }] },
      { _id: 2, v: Long.fromNumber(2), tags: ['a', ['a']], d: { x: 1 } },
      { _id: 3, v: null, tags: 'c' },
      { _id: 4 },
    ],
  });
});
after(() => cluster.remove());

const distinct = (key: string, more: object = {}) => cluster.run({ distinct: 'c', key, ...more }).values;

describe('distinct', () => {
  it('returns each value once, in value order', () => {
    assert.deepEqual(distinct('v'), [null, 2]);
  });

  it('expands arrays, one level deep', () => {
    assert.deepEqual(distinct('tags'), ['a', 'b', 'c', ['a']]);
  });

  it('follows paths through arrays of documents and by position', () => {
    assert.deepEqual(distinct('d.x'), [1, 2, 3]);
    assert.deepEqual(distinct('tags.0'), ['a', 'b']);
    assert.deepEqual(distinct('d.1.x'), [2, 3]);
  });

  it('reads only matching documents', () => {
    assert.deepEqual(distinct('_id', { query: { v: 2 } }), [1, 2]);
  });

  it('returns nothing for a missing collection, and rejects invalid arguments', () => {
    assert.deepEqual(cluster.run({ distinct: 'none', key: 'v' }).values, []);
    assert.equal(cluster.run({ distinct: 'c', key: 1 }).code, 14);
    assert.equal(cluster.run({ distinct: 'c' }).code, 40414);
    assert.equal(cluster.run({ distinct: 'c', key: 'v', query: { $bad: 1 } }).code, 2);
  });

  it('returns of equal strings the first in the order of a hinted index', () => {
    cluster.run({ insert: 'words', documents: [{ w: 'a' }, { w: 'A' }] });
    const index = { key: { w: 1 }, name: 'french', collation: { locale: 'fr' } };
    cluster.run({ createIndexes: 'words', indexes: [index] });
    const collation = { locale: 'en', strength: 1 };
    const { values } = cluster.run({ distinct: 'words', key: 'w', hint: 'french', collation });
    assert.deepEqual(values, ['a']);
  });
});
