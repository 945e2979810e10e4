import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Decimal128, type Document, Double, UUID } from 'bson';
import { admin, TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ dropDatabase: 1 });
});

const create = (options: Document = {}) => cluster.run({ create: 'a', ...options });
const listed = (name = 'a') =>
  cluster.run({ listCollections: 1, filter: { name } }).cursor.firstBatch[0] as Document | undefined;

const english = {
  locale: 'en',
  caseLevel: false,
  caseFirst: 'off',
  strength: 3,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
  version: '57.1',
};

describe('create', () => {
  it('creates an empty collection that exists after a restart', () => {
    assert.deepEqual(create(), { ok: 1 });
    cluster.reopen();
    assert.deepEqual(listed()?.options, {});
  });

  const shown: Array<[string, Document, Document]> = [
    ['a size as given', { capped: true, size: 5000 }, { capped: true, size: 5000 }],
    ['a small size as given', { capped: 1, size: 1, max: 3 }, { capped: true, size: 1, max: 3 }],
    ['no limit for max 0', { capped: true, size: 1024, max: 0 }, { capped: true, size: 1024 }],
    ['a complete collation', { collation: { locale: 'en' } }, { collation: english }],
    ['no simple collation', { collation: { locale: 'simple' } }, {}],
    ['no empty options', { validator: {}, storageEngine: {}, indexOptionDefaults: {} }, {}],
    [
      'validation options',
      { validationAction: 'warn', validationLevel: 'off', validator: { a: 1 } },
      { validator: { a: 1 }, validationLevel: 'off', validationAction: 'warn' },
    ],
    [
      'changeStreamPreAndPostImages',
      { changeStreamPreAndPostImages: { enabled: true } },
      { changeStreamPreAndPostImages: { enabled: true } },
    ],
    ['no disabled images', { changeStreamPreAndPostImages: { enabled: false } }, {}],
    [
      'a clustered index with expiry',
      { clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: 60 },
      { clusteredIndex: { v: 2, key: { _id: 1 }, name: '_id_', unique: true }, expireAfterSeconds: 60n },
    ],
    [
      'time series options',
      { timeseries: { timeField: 't', metaField: 'm' } },
      { timeseries: { timeField: 't', metaField: 'm', granularity: 'seconds', bucketMaxSpanSeconds: 3600 } },
    ],
    [
      'custom bucket spans',
      { timeseries: { timeField: 't', bucketMaxSpanSeconds: 300.9, bucketRoundingSeconds: 300 } },
      { timeseries: { timeField: 't', bucketRoundingSeconds: 300, bucketMaxSpanSeconds: 300 } },
    ],
  ];
  for (const [what, options, expected] of shown) {
    it(`stores ${what}`, () => {
      assert.equal(create(options).ok, 1);
      assert.deepEqual(listed()?.options, expected);
    });
  }

  it('succeeds for the same options, and rejects others', () => {
    assert.equal(create({ capped: true, size: 5000 }).ok, 1);
    assert.equal(create({ capped: new Double(1), size: new Double(5000) }).ok, 1);
    assert.equal(create({ capped: true, size: 6000 }).code, 48);
    assert.equal(create().code, 48);
    assert.equal(create({ viewOn: 'b' }).code, 48);
  });

  const keyId = new UUID();
  const encrypted = (more: Document) => ({ encryptedFields: { fields: [{ path: 'p', keyId, ...more }] } });
  const ranged = (query: Document) =>
    encrypted({ bsonType: 'int', queries: { queryType: 'range', ...query } });
  const refused: Array<[string, Document, number]> = [
    [
      'a view with pre- and post-images',
      { viewOn: 'b', changeStreamPreAndPostImages: { enabled: true } },
      72,
    ],
    [
      'a clustered time series',
      { clusteredIndex: { key: { _id: 1 }, unique: true }, timeseries: { timeField: 't' } },
      72,
    ],
    [
      'a clustered collection with a limit',
      { clusteredIndex: { key: { _id: 1 }, unique: true }, max: 1 },
      6049204,
    ],
    ['a capped collection that is not clustered', { clusteredIndex: false, capped: true, size: 1 }, 6049200],
    ['a number for a clustered index', { clusteredIndex: 1 }, 5979703],
    ['null for a clustered index', { clusteredIndex: null }, 14],
    [
      'a negative expiry, rounded',
      { timeseries: { timeField: 't' }, expireAfterSeconds: Decimal128.fromString('-0.9') },
      72,
    ],
    ['capped without a size', { capped: true }, 72],
    ['a size without capped', { size: 1000 }, 72],
    ['a max above the limit', { capped: true, size: 1, max: 2 ** 31 }, 2],
    ['an unknown validation level', { validationLevel: 'Strict' }, 2],
    ['an unknown validation action', { validationAction: '' }, 2],
    ['a validator with $where', { validator: { $where: 'true' } }, 2],
    ['a validator with $near', { validator: { $and: [{ a: { $near: [0, 0] } }] } }, 5626500],
    ['an invalid validator', { validator: { $foo: 1 } }, 2],
    ['expiry of an ordinary collection', { expireAfterSeconds: 1 }, 72],
    ['a pipeline without viewOn', { pipeline: [] }, 72],
    ['a time series without its field', { timeseries: {} }, 40414],
    ['a time field with a dot', { timeseries: { timeField: 'a.b' } }, 72],
    ['the same field for time and meta', { timeseries: { timeField: 'a', metaField: 'a' } }, 72],
    ['an unknown granularity', { timeseries: { timeField: 'a', granularity: 'days' } }, 2],
    ['bucketMaxSpanSeconds alone', { timeseries: { timeField: 'a', bucketMaxSpanSeconds: 60 } }, 72],
    ['a validated time series', { timeseries: { timeField: 'a' }, validator: { a: 1 } }, 72],
    ['a clustered index on another field', { clusteredIndex: { key: { a: 1 }, unique: true } }, 197],
    ['a clustered index that is not unique', { clusteredIndex: { key: { _id: 1 }, unique: false } }, 5979700],
    [
      'a capped clustered collection',
      { clusteredIndex: { key: { _id: 1 }, unique: true }, capped: 1, size: 1 },
      6049200,
    ],
    ['an _id index with another key', { idIndex: { key: { a: 1 }, name: '_id_' } }, 2],
    ['an _id index without a name', { idIndex: { key: { _id: 1 } } }, 9],
    ['an _id index with options', { idIndex: { key: { _id: 1 }, name: 'x', sparse: true } }, 197],
    ['another storage engine', { storageEngine: { other: {} } }, 72],
    ['an unknown storage engine setting', { storageEngine: { wiredTiger: { configString: 'a=b' } } }, 2],
    ['encryption of _id', encrypted({ path: '_id.a' }), 6316403],
    ['a key id of another type', { encryptedFields: { fields: [{ path: 'a', keyId: 1 }] } }, 14],
    [
      'a range query type for strings',
      encrypted({ bsonType: 'string', queries: { queryType: 'range' } }),
      6775201,
    ],
    ['a range with min above max', ranged({ min: 2, max: 1 }), 6720005],
    ['an unknown option', { foo: 1 }, 40415],
  ];
  for (const [what, options, code] of refused) {
    it(`rejects ${what} and creates nothing`, () => {
      assert.equal(create(options).code, code);
      assert.equal(listed(), undefined);
    });
  }

  it('creates no buckets collection on its own', () => {
    const user = { ...admin, roles: [{ role: '__system', database: 'admin' }] };
    assert.equal(cluster.run({ create: 'system.buckets.a' }, { user }).code, 20);
  });

  it('rejects validators on system collections', () => {
    assert.equal(create({ create: 'system.js', validator: { a: 1 } }).code, 72);
  });
});
