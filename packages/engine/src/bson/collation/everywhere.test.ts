import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

const insensitive = { locale: 'en', strength: 2 };
let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({
    insert: 'c',
    documents: [
      { _id: 1, x: 'apple', n: ['Red', 'green'] },
      { _id: 2, x: 'Banana', n: [] },
      { _id: 3, x: 'APPLE', n: ['red'] },
    ],
  });
});
after(() => cluster.remove());

const idsOf = ({ cursor }: Document) => cursor.firstBatch.map(({ _id }: Document) => _id);

describe('filters under a collation', () => {
  const cases: Array<[Document, number[]]> = [
    [{ x: 'Apple' }, [1, 3]],
    [{ x: { $ne: 'Apple' } }, [2]],
    [{ x: { $gt: 'AZ' } }, [2]],
    [{ x: { $lte: 'apple' } }, [1, 3]],
    [{ x: { $in: ['BANANA', 'cherry', 5] } }, [2]],
    [{ x: { $nin: ['BANANA', /^a/] } }, [3]],
    [{ x: /apple/ }, [1]],
    [{ n: 'RED' }, [1, 3]],
    [{ n: { $all: ['red', 'Green'] } }, [1]],
    [{ n: { $elemMatch: { $eq: 'GREEN' } } }, [1]],
    [{ $expr: { $eq: ['$x', 'Apple'] } }, [1, 3]],
    [{ $expr: { $in: ['GREEN', '$n'] } }, [1]],
  ];
  for (const [filter, ids] of cases) {
    it(`find ${JSON.stringify(ids)} for ${JSON.stringify(filter)}`, () => {
      const found = cluster.run({ find: 'c', filter, sort: { _id: 1 }, collation: insensitive });
      assert.deepEqual(idsOf(found), ids);
    });
  }

  it('applies to counts, and the explicit simple collation compares bytes', () => {
    assert.equal(cluster.run({ count: 'c', query: { x: 'Apple' }, collation: insensitive }).n, 2);
    assert.equal(cluster.run({ count: 'c', query: { x: 'Apple' }, collation: { locale: 'simple' } }).n, 0);
  });
});

describe('pipelines under a collation', () => {
  const cases: Array<[string, Document[], Document[]]> = [
    [
      'group',
      [{ $group: { _id: '$x', k: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'apple', k: 2 },
        { _id: 'Banana', k: 1 },
      ],
    ],
    ['sort', [{ $sort: { x: 1, _id: -1 } }, { $project: { _id: 1 } }], [{ _id: 3 }, { _id: 1 }, { _id: 2 }]],
    ['count by a value', [{ $sortByCount: '$x' }, { $limit: 1 }], [{ _id: 'apple', count: 2 }]],
    [
      'evaluate sets and positions',
      [
        { $limit: 1 },
        {
          $project: {
            _id: 0,
            a: { $setUnion: [['A'], ['a', 'b']] },
            b: { $indexOfArray: [['a', 'b'], 'B'] },
            c: { $setIsSubset: [['A'], ['a']] },
            d: { $max: ['a', 'B'] },
            e: { $cmp: ['a', 'A'] },
          },
        },
      ],
      [{ a: ['A', 'b'], b: 1, c: true, d: 'B', e: 0 }],
    ],
    [
      'look up',
      [
        { $limit: 1 },
        { $lookup: { from: 'c', localField: 'x', foreignField: 'x', as: 'same' } },
        { $project: { ids: '$same._id' } },
      ],
      [{ _id: 1, ids: [1, 3] }],
    ],
  ];
  for (const [what, pipeline, expected] of cases) {
    it(what, () => {
      const found = cluster.run({ aggregate: 'c', pipeline, cursor: {}, collation: insensitive });
      assert.deepEqual(found.cursor.firstBatch, expected);
    });
  }

  it('applies to distinct values and their order', () => {
    const { values } = cluster.run({ distinct: 'c', key: 'x', collation: insensitive });
    assert.deepEqual(values, ['apple', 'Banana']);
  });
});

describe('a collection with a collation', () => {
  it('applies to queries and updates without a collation of their own', () => {
    cluster.run({ create: 'collated', collation: insensitive });
    cluster.run({ insert: 'collated', documents: [{ _id: 'A', x: 'One', n: ['a', 'B'] }] });
    assert.deepEqual(idsOf(cluster.run({ find: 'collated', filter: { x: 'ONE' } })), ['A']);
    assert.deepEqual(idsOf(cluster.run({ find: 'collated', filter: { _id: 'a' } })), ['A']);
    const update = (u: Document) =>
      cluster.run({ update: 'collated', updates: [{ q: { x: 'one' }, u }] }).nModified;
    assert.equal(update({ $addToSet: { n: 'A' } }), 0);
    assert.equal(update({ $pull: { n: 'b' } }), 1);
    assert.equal(update({ $min: { x: 'ONE' } }), 0);
    assert.deepEqual(cluster.run({ find: 'collated' }).cursor.firstBatch, [{ _id: 'A', x: 'One', n: ['a'] }]);
  });
});

describe('a unique index with a collation', () => {
  it('rejects variants of a text as duplicates', () => {
    cluster.run({
      createIndexes: 'unique',
      indexes: [{ key: { x: 1 }, name: 'x', unique: true, collation: insensitive }],
    });
    const insert = (x: unknown) => cluster.run({ insert: 'unique', documents: [{ x }] });
    assert.equal(insert('One').n, 1);
    assert.equal(insert('ONE').writeErrors[0].code, 11000);
    assert.equal(insert('oné').n, 1);
    assert.equal(insert({ a: 'ONE' }).n, 1);
    assert.equal(insert({ a: 'one' }).writeErrors[0].code, 11000);
  });
});
