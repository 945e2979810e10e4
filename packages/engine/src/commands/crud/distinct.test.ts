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
  it('answers each value once, in the order of values', () => {
    assert.deepEqual(distinct('v'), [null, 2]);
  });

  it('takes arrays for their entries, one level deep', () => {
    assert.deepEqual(distinct('tags'), ['a', 'b', 'c', ['a']]);
  });

  it('goes through documents in arrays, and to a position', () => {
    assert.deepEqual(distinct('d.x'), [1, 2, 3]);
    assert.deepEqual(distinct('tags.0'), ['a', 'b']);
    assert.deepEqual(distinct('d.1.x'), [2, 3]);
  });

  it('looks at documents that match', () => {
    assert.deepEqual(distinct('_id', { query: { v: 2 } }), [1, 2]);
  });

  it('answers nothing for a collection that is not there, and refuses what it cannot read', () => {
    assert.deepEqual(cluster.run({ distinct: 'none', key: 'v' }).values, []);
    assert.equal(cluster.run({ distinct: 'c', key: 1 }).code, 14);
    assert.equal(cluster.run({ distinct: 'c' }).code, 40414);
    assert.equal(cluster.run({ distinct: 'c', key: 'v', query: { $bad: 1 } }).code, 2);
  });
});
