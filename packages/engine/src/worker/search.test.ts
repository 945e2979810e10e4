import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import type { Document } from 'bson';
import { SearchFollower } from '../search/follow/follower.ts';
import { TestCluster } from './testing.ts';
import { TestDisk } from './testing-search.ts';

/** Texts of different lengths, in which a word has different frequencies. */
const TEXTS = [
  'the quick brown fox jumps over the lazy dog',
  'quick quick slow',
  'a dog is a dog, whatever the weather, and a quick one is a quick dog',
  'nothing of that kind stands here',
  `quick ${'word '.repeat(60)}`,
  'brown bread',
];

/** Computes BM25 from its definition, over the words that the tokenizer `standard` finds. */
function bm25(word: string, texts: readonly string[]): number[] {
  const words = texts.map((text) => [...text.toLowerCase().matchAll(/[a-z]+/g)].map(([own]) => own));
  const average = words.reduce((sum, { length }) => sum + length, 0) / words.length;
  const having = words.filter((own) => own.includes(word)).length;
  const idf = Math.log(1 + (words.length - having + 0.5) / (having + 0.5));
  return words.map((own) => {
    const freq = own.filter((one) => one === word).length;
    // Rounds lengths like Lucene: exact up to 39, in steps of 2 from 40 on, and of 4 from 56 on.
    const { length } = own;
    const kept = length < 40 ? length : length < 56 ? length - (length % 2) : length - ((length - 56) % 4);
    return (idf * freq) / (freq + 1.2 * (0.25 + (0.75 * kept) / average));
  });
}

describe('search', () => {
  const cluster = new TestCluster();
  let follower: SearchFollower;
  before(() => {
    cluster.run({ insert: 'texts', documents: TEXTS.map((text, _id) => ({ _id, text, n: _id * 10 })) });
    create('texts', 'default', { mappings: { dynamic: true } });
    follower = new SearchFollower(cluster.dir, undefined, new TestDisk(), testClock());
    settle();
  });
  after(() => {
    follower.close();
    cluster.remove();
  });

  function create(collection: string, name: string, definition: Document, type = 'search'): void {
    const indexes = [{ name, type, definition }];
    assert.equal(cluster.run({ createSearchIndexes: collection, indexes }).ok, 1);
  }

  function settle(): void {
    while (follower.step() === 'busy');
  }

  function aggregate(...pipeline: Document[]): Document[] {
    const reply = cluster.run({ aggregate: 'texts', pipeline, cursor: {} });
    assert.equal(reply.ok, 1, reply.errmsg);
    return reply.cursor.firstBatch;
  }

  function scores(word: string): Map<number, number> {
    const search = { $search: { text: { query: word, path: 'text' } } };
    const found = aggregate(search, { $project: { score: { $meta: 'searchScore' } } });
    return new Map(found.map(({ _id, score }) => [_id, score]));
  }

  for (const word of ['quick', 'dog', 'brown', 'word']) {
    test(`scores ${word} as BM25 does, to four digits`, () => {
      const found = scores(word);
      bm25(word, TEXTS).forEach((expected, _id) => {
        if (expected === 0) assert.equal(found.has(_id), false);
        else assert.equal(found.get(_id)?.toFixed(4), expected.toFixed(4));
      });
    });
  }

  test('follows changes, and scores as a new index would', () => {
    cluster.run({ update: 'texts', updates: [{ q: { _id: 3 }, u: { $set: { text: 'a quick change' } } }] });
    cluster.run({ delete: 'texts', deletes: [{ q: { _id: 1 }, limit: 1 }] });
    settle();
    const texts = TEXTS.with(3, 'a quick change');
    const expected = bm25('quick', texts.toSpliced(1, 1));
    const found = scores('quick');
    assert.deepEqual([...found.keys()].sort(), [0, 2, 3, 4]);
    for (const [at, _id] of [0, 2, 3, 4].entries()) {
      assert.equal(found.get(_id)?.toFixed(4), expected[at]?.toFixed(4));
    }
  });

  test('counts without returning documents', () => {
    const [meta] = aggregate({
      $searchMeta: {
        facet: {
          operator: { range: { path: 'n', gte: 20 } },
          facets: { tens: { type: 'number', path: 'n', boundaries: [20, 40, 60] } },
        },
        count: { type: 'total' },
      },
    });
    assert.deepEqual(meta, {
      count: { total: 4n },
      facet: {
        tens: {
          buckets: [
            { _id: 20, count: 2n },
            { _id: 40, count: 2n },
          ],
        },
      },
    });
  });

  test('continues after a result', () => {
    const search = { exists: { path: 'n' }, sort: { n: -1 } };
    const shown = { $project: { token: { $meta: 'searchSequenceToken' } } };
    const all = aggregate({ $search: search }, shown);
    assert.deepEqual(
      all.map(({ _id }) => _id),
      [5, 4, 3, 2, 0],
    );
    const ids = (more: Document) => aggregate({ $search: { ...search, ...more } }).map(({ _id }) => _id);
    assert.deepEqual(ids({ searchAfter: all[1]?.token }), [3, 2, 0]);
    assert.deepEqual(ids({ searchBefore: all[2]?.token }), [4, 5]);
  });

  test('serves the old definition while a new one is built', () => {
    const definition = { mappings: { dynamic: false, fields: { n: { type: 'number' } } } };
    const update = { updateSearchIndex: 'texts', name: 'default', definition };
    assert.equal(cluster.run(update).ok, 1);
    const list = () => aggregate({ $listSearchIndexes: {} })[0] as Document;
    assert.deepEqual([list().status, list().queryable, list().latestVersion], ['PENDING', true, 1n]);
    follower.step();
    assert.equal(list().statusDetail[0].stagedIndex?.definitionVersion.version, 1n);
    assert.equal(scores('quick').size, 4);
    settle();
    assert.deepEqual([list().status, list().statusDetail[0].stagedIndex], ['READY', undefined]);
    assert.equal(scores('quick').size, 0);
  });

  test('finds the nearest vectors among the documents that match a filter', () => {
    const documents = [0, 1, 2, 3].map((_id) => ({ _id, v: [1, _id], even: _id % 2 === 0 }));
    cluster.run({ insert: 'vectors', documents });
    const fields = [
      { type: 'vector', path: 'v', numDimensions: 2, similarity: 'euclidean' },
      { type: 'filter', path: 'even' },
    ];
    create('vectors', 'v', { fields }, 'vectorSearch');
    settle();
    const pipeline = [
      {
        $vectorSearch: {
          index: 'v',
          path: 'v',
          queryVector: [1, 3],
          exact: true,
          limit: 2,
          filter: { even: true },
        },
      },
      { $project: { score: { $meta: 'vectorSearchScore' } } },
    ];
    const { firstBatch } = cluster.run({ aggregate: 'vectors', pipeline, cursor: {} }).cursor;
    assert.deepEqual(firstBatch, [
      { _id: 2, score: 0.5 },
      { _id: 0, score: Math.fround(0.1) },
    ]);
  });

  test('returns whole documents for vectors, and only accepts a boolean returnStoredSource', () => {
    const fields = [{ type: 'vector', path: 'v', numDimensions: 2, similarity: 'euclidean' }];
    create('vectors', 'stored', { fields, storedSource: { include: ['even'] } }, 'vectorSearch');
    settle();
    const nearest = (index: string) => {
      const query = {
        index,
        path: 'v',
        queryVector: [1, 0],
        exact: true,
        limit: 1,
        returnStoredSource: true,
      };
      return cluster.run({ aggregate: 'vectors', pipeline: [{ $vectorSearch: query }], cursor: {} });
    };
    assert.deepEqual(nearest('stored').cursor.firstBatch, [{ _id: 0, v: [1, 0], even: true }]);
    assert.equal(nearest('v').code, 8);
    const search = { exists: { path: 'n' }, returnStoredSource: 'yes' };
    const { code, errmsg } = cluster.run({ aggregate: 'texts', pipeline: [{ $search: search }], cursor: {} });
    assert.deepEqual([code, errmsg], [13111, 'wrong type for field (returnStoredSource) string != bool']);
  });

  test('is dropped with its collection', () => {
    assert.equal(cluster.run({ drop: 'vectors' }).ok, 1);
    settle();
    cluster.run({ insert: 'vectors', documents: [{ _id: 1 }] });
    assert.deepEqual(cluster.run({ listSearchIndexes: 'vectors' }).cursor.firstBatch, []);
  });

  test('refuses a second index of the same name, and an invalid definition', () => {
    const indexes = [{ name: 'default', definition: { mappings: { dynamic: true } } }];
    assert.equal(cluster.run({ createSearchIndexes: 'texts', indexes }).code, 68);
    assert.equal(cluster.run({ createSearchIndexes: 'nowhere', indexes }).code, 26);
    const wrong = [{ name: 'other', definition: { mappings: { fields: { a: { type: 'nothing' } } } } }];
    const { code, errmsg } = cluster.run({ createSearchIndexes: 'texts', indexes: wrong });
    assert.equal(code, 8);
    assert.match(errmsg, /"userCommand.indexes\[0\].definition.mappings.fields/);
    assert.equal(cluster.run({ dropSearchIndex: 'texts', name: 'gone' }).code, 27);
  });

  test('refuses a name and an id that cannot be stored', () => {
    const definition = { mappings: { dynamic: true } };
    for (const [field, index] of [
      ['name', { name: 'a\u0000b', definition }],
      ['id', { name: 'other', id: '\u0000', definition }],
    ] as const) {
      const { code, errmsg } = cluster.run({ createSearchIndexes: 'texts', indexes: [index] });
      assert.deepEqual(
        [code, errmsg],
        [8, `"userCommand.indexes[0].${field}" cannot contain NUL, or half of a surrogate pair`],
      );
    }
    const listed = cluster.run({ listSearchIndexes: 'texts' }).cursor.firstBatch;
    assert.deepEqual(
      listed.map(({ name }: Document) => name),
      ['default'],
    );
  });
});
