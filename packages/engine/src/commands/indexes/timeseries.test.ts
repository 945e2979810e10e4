import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { calculateObjectSize, type Document } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

const user = { ...admin, roles: [{ role: '__system', database: 'admin' }] };

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ create: 't', timeseries: { timeField: 'at', metaField: 'of' } });
});
after(() => cluster.remove());

const make = (key: Document, options: Document = {}) =>
  cluster.run({
    createIndexes: 't',
    indexes: [{ key, name: JSON.stringify([key, options]), ...options }],
  });

describe('time series indexes', () => {
  const seconds = { expireAfterSeconds: 60 };
  const refused: Array<[string, Document, Document, number]> = [
    ['texts', { v: 'text' }, {}, 72],
    ['unique measurements', { 'of.a': 1 }, { unique: true }, 72],
    ['sparse measurements', { v: 1 }, { sparse: true }, 72],
    ['hashes', { v: 'hashed' }, {}, 67],
    ['2d on measurements', { v: '2d' }, {}, 67],
    ['wildcards', { '$**': 1 }, {}, 7246201],
    ['expiry without a filter', { at: 1 }, seconds, 72],
    ['expiry by a measurement', { at: 1 }, { ...seconds, partialFilterExpression: { v: 1 } }, 72],
    ['expiry of another field', { of: 1 }, { ...seconds, partialFilterExpression: { of: 1 } }, 72],
    [
      'a partial index with a collation',
      { 'of.a': 1 },
      { partialFilterExpression: { 'of.b': 1 }, collation: { locale: 'en' } },
      85,
    ],
  ];
  for (const [what, key, options, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(make(key, options).code, code));
  }

  const taken: Array<[string, Document, Document]> = [
    ['2dsphere on measurements', { v: '2dsphere' }, {}],
    ['sparse on the metaField', { of: 1 }, { sparse: true }],
    ['2d on the metaField', { of: '2d' }, {}],
    ['a wildcard on the metaField', { 'of.$**': 1 }, {}],
    ['expiry by metaField', { at: 1 }, { ...seconds, partialFilterExpression: { $and: [{ 'of.a': 1 }] } }],
  ];
  for (const [what, key, options] of taken) {
    it(`accepts ${what}`, () => assert.equal(make(key, options).ok, 1));
  }

  it('rejects arrays in measurements, wherever they are in an indexed path', () => {
    cluster.run({ create: 'n', timeseries: { timeField: 'at', metaField: 'of' } });
    const insert = (document: Document) =>
      cluster.run({ insert: 'n', documents: [{ at: new Date(0), ...document }] }).writeErrors?.[0]?.code;
    const index = (key: Document) =>
      cluster.run({ createIndexes: 'n', indexes: [{ key, name: JSON.stringify(key) }] }).code;
    assert.equal(insert({ w: [1] }), undefined);
    assert.equal(index({ w: 1 }), 5930501);
    for (const key of [{ 'of.a': 1, at: 1, v: 1 }, { 'x.y': -1 }, { l: '2dsphere' }])
      assert.equal(index(key), undefined);
    assert.equal(insert({ of: { a: [1, 2] }, v: 1, x: { y: 1 }, l: [1, 2] }), undefined);
    for (const document of [{ v: [1, 2] }, { v: [] }, { x: [{ y: 1 }] }, { x: { y: [1] } }]) {
      assert.equal(insert({ of: 1, ...document }), 5930501, JSON.stringify(document));
    }
    assert.equal(cluster.run({ count: 'n' }).n, 2);
  });

  it('can be dropped by the name of the buckets', () => {
    const dropped = cluster.run({ dropIndexes: 'system.buckets.t', index: '*' }, { user });
    assert.equal(dropped.nIndexesWas, 1 + taken.length);
  });
});

test('a measurement has at most 4 MB', () => {
  const insert = (length: number) => {
    const document = { _id: 1, at: new Date(0), v: '' };
    document.v = 'x'.repeat(length - calculateObjectSize(document));
    return cluster.run({ insert: 't', documents: [document] });
  };
  assert.equal(insert(4 * 1024 * 1024).n, 1);
  assert.equal(insert(4 * 1024 * 1024 + 1).writeErrors[0].code, 10334);
});
