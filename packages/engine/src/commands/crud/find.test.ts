import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const documents = Array.from({ length: 10 }, (_, i) => ({ _id: (i * 7) % 10, v: i % 3, name: `n${i}` }));

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents });
});
after(() => cluster.remove());

const find = (command: Document = {}): Document[] => {
  const { cursor, errmsg } = cluster.run({ find: 'c', ...command });
  assert.ok(cursor, errmsg);
  return cursor.firstBatch;
};
const ids = (command: Document = {}) => find(command).map(({ _id }) => _id);
const natural = documents.map(({ _id }) => _id);

describe('find', () => {
  it('returns documents in insertion order, or reverse with $natural', () => {
    assert.deepEqual(find(), documents);
    assert.deepEqual(ids({ sort: { $natural: -1 } }), natural.toReversed());
    assert.deepEqual(ids({ hint: { $natural: -1 } }), natural.toReversed());
  });

  const byId: Array<[string, Document, number[]]> = [
    ['equality', { _id: 3 }, [3]],
    ['equality with a number of another type', { _id: 3n }, [3]],
    ['equality without a match', { _id: 'x' }, []],
    ['$in, in the order of keys', { _id: { $in: [9, 1, 5, 1, 77] } }, [1, 5, 9]],
    ['a range', { _id: { $gt: 2, $lte: 5 } }, [3, 4, 5]],
    ['a range with one bound', { _id: { $gte: 8 } }, [8, 9]],
    ['an empty range', { _id: { $gt: 5, $lt: 5 } }, []],
    ['a conjunction', { $and: [{ _id: { $lt: 6 } }, { _id: { $in: [4, 5, 6] } }] }, [4, 5]],
    ['conditions on _id and others', { _id: { $lt: 6 }, v: 0 }, [0, 1, 2, 3]],
  ];
  for (const [what, filter, expected] of byId) {
    it(`finds by _id: ${what}`, () => {
      assert.deepEqual(ids({ filter }), expected);
    });
  }

  it('applies collation, collection kind and other arguments to queries by _id', () => {
    cluster.run({ create: 'folded', collation: { locale: 'en', strength: 2 } });
    cluster.run({ create: 'ring', capped: true, size: 4_096 });
    cluster.run({ create: 'seen', viewOn: 'c', pipeline: [{ $match: { v: 0 } }] });
    for (const name of ['folded', 'ring']) {
      cluster.run({ insert: name, documents: [{ _id: 'ann' }, { _id: null }, { _id: { a: 1 } }] });
    }
    const found = (name: string, _id: unknown, more: Document = {}) =>
      cluster.run({ find: name, filter: { _id }, ...more }).cursor.firstBatch.map((one: Document) => one._id);
    assert.deepEqual(found('folded', 'ANN'), ['ann']);
    assert.deepEqual(found('ring', 'ANN'), []);
    assert.deepEqual(found('ring', 'ANN', { collation: { locale: 'en', strength: 2 } }), ['ann']);
    assert.deepEqual(found('ring', null), [null]);
    assert.deepEqual(found('ring', { a: 1 }), [{ a: 1 }]);
    assert.deepEqual(found('ring', { $gte: 'ann' }), ['ann']);
    assert.deepEqual(found('ring', /^an/), ['ann']);
    assert.deepEqual(found('seen', natural[1]), []);
    assert.deepEqual(found('seen', natural[0]), [natural[0]]);
    assert.deepEqual(found('c', 3, { skip: 1 }), []);
    assert.deepEqual(found('c', 3, { limit: 1, singleBatch: true }), [3]);
    const { cursor } = cluster.run({ find: 'c', filter: { _id: 3 }, batchSize: 0 });
    const more = cluster.run({ getMore: cursor.id, collection: 'c' });
    assert.deepEqual([cursor.firstBatch, more.cursor.nextBatch.length], [[], 1]);
  });

  it('finds by other fields', () => {
    assert.deepEqual(
      ids({ filter: { v: 1, name: { $ne: 'n4' } } }),
      documents.filter(({ v, name }) => v === 1 && name !== 'n4').map(({ _id }) => _id),
    );
    assert.deepEqual(ids({ filter: { $or: [{ name: 'n2' }, { _id: 0 }] } }), [0, 4]);
  });

  it('sorts by _id and other fields in both directions', () => {
    assert.deepEqual(
      ids({ sort: { _id: 1 } }),
      natural.toSorted((a, b) => a - b),
    );
    assert.deepEqual(ids({ sort: { _id: -1 }, filter: { _id: { $in: [1, 2, 3] } } }), [3, 2, 1]);
    const expected = documents.toSorted((a, b) => b.v - a.v || a._id - b._id).map(({ _id }) => _id);
    assert.deepEqual(ids({ sort: { v: -1, _id: 1 } }), expected);
    assert.deepEqual(ids({ sort: { v: -1, _id: 1 }, skip: 2, limit: 3 }), expected.slice(2, 5));
  });

  it('skips and limits', () => {
    assert.deepEqual(ids({ skip: 3, limit: 4 }), natural.slice(3, 7));
    assert.deepEqual(ids({ skip: 30 }), []);
    assert.deepEqual(ids({ limit: 0 }), natural);
  });

  it('projects', () => {
    assert.deepEqual(find({ filter: { _id: 0 }, projection: { name: 1, _id: 0 } }), [{ name: 'n0' }]);
    assert.deepEqual(find({ filter: { _id: 0 }, projection: { name: 0 } }), [{ _id: 0, v: 0 }]);
  });

  it('returns record ids, whatever the projection', () => {
    const shown = find({ filter: { _id: 0 }, projection: { name: 1 }, showRecordId: true });
    assert.deepEqual(
      shown.map(({ $recordId, ...rest }: Document) => [rest, typeof $recordId]),
      [[{ _id: 0, name: 'n0' }, 'bigint']],
    );
    assert.deepEqual(find({ filter: { _id: 0 }, returnKey: true, showRecordId: true }), [{ _id: 0 }]);
  });

  it('shows the record id and the sort key as metadata', () => {
    const recordId = { $meta: 'recordId' };
    const sortKey = { $meta: 'sortKey' };
    const shown = find({ filter: { v: 2 }, projection: { _id: 1, r: recordId }, showRecordId: true });
    assert.deepEqual(
      shown.map(({ r }) => r),
      shown.map(({ $recordId }) => $recordId),
    );
    const sorted = { sort: { v: -1, _id: 1 }, limit: 2, projection: { _id: 1, r: recordId, k: sortKey } };
    assert.deepEqual(find(sorted), [
      { _id: 4, r: 3n, k: [2, 4] },
      { _id: 5, r: 6n, k: [2, 5] },
    ]);
    assert.equal(cluster.run({ find: 'c', projection: { k: sortKey } }).code, 2);
    const pipeline = [{ $sort: { _id: 1 } }, { $limit: 1 }, { $project: { r: recordId, k: sortKey } }];
    const aggregated = cluster.run({ aggregate: 'c', pipeline, cursor: {} });
    assert.deepEqual(aggregated.cursor.firstBatch, [{ _id: 0, r: 1n, k: [0] }]);
  });

  it('returns nothing for a missing collection, but validates arguments', () => {
    assert.deepEqual(cluster.run({ find: 'nowhere' }), {
      cursor: { firstBatch: [], id: 0n, ns: 'test.nowhere' },
      ok: 1,
    });
    assert.equal(cluster.run({ find: 'nowhere', filter: { $frob: 1 } }).code, 2);
  });

  it('needs no hint for min and max if the filter is an equality on _id', () => {
    assert.deepEqual(ids({ filter: { _id: 3 }, min: { _id: 0 } }), [3]);
    assert.deepEqual(ids({ filter: { _id: 3 }, min: { _id: 0 }, max: { _id: 3 } }), []);
    assert.deepEqual(ids({ filter: { _id: 3 }, max: { _id: 4 } }), [3]);
    for (const filter of [{ _id: { $gt: 3 } }, { _id: /3/ }, { _id: 3, v: 0 }, { v: 0 }])
      assert.equal(cluster.run({ find: 'c', filter, min: { _id: 0 } }).code, 51173);
    assert.equal(cluster.run({ find: 'c', filter: { _id: 3 }, min: { v: 0 } }).code, 51174);
  });

  const rejected: Array<[string, Document, number]> = [
    ['an unknown field', { foo: 1 }, 40415],
    ['a filter of another type', { filter: 1 }, 14],
    ['a negative limit', { limit: -1 }, 2],
    ['a negative skip', { skip: -1 }, 2],
    ['a negative batch size', { batchSize: -1 }, 2],
    ['a skip of another type', { skip: 'x' }, 14],
    ['an unknown operator', { filter: { a: { $frob: 1 } } }, 2],
    ['a hint at an unknown index', { hint: { v: 1 } }, 2],
    ['min without a hint', { min: { _id: 1 } }, 51173],
    ['a tailable cursor', { tailable: true }, 2],
    ['awaitData without tailable', { awaitData: true }, 9],
  ];
  for (const [what, more, code] of rejected) {
    it(`rejects ${what}`, () => {
      assert.equal(cluster.run({ find: 'c', ...more }).code, code);
    });
  }
});
