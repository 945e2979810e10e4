import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { admin, TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;

/** A user who can read system collections. */
const root = { ...admin, roles: [{ role: 'root', database: 'admin' }] };

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ dropDatabase: 1 });
});

const create = (validator: Document, more: Document = {}) => cluster.run({ create: 'c', validator, ...more });
const insert = (...documents: Document[]) => cluster.run({ insert: 'c', documents });
const update = (u: unknown, more: Document = {}) =>
  cluster.run({ update: 'c', updates: [{ q: {}, u }], ...more });
/** Returns why a document is rejected. */
const reasons = (validator: Document, document: Document): Document => {
  create(validator);
  const [error] = insert({ _id: 1, ...document }).writeErrors;
  assert.equal(error.code, 121);
  assert.equal(error.errmsg, 'Document failed validation');
  assert.equal(error.errInfo.failingDocumentId, 1);
  return error.errInfo.details;
};

describe('a validator', () => {
  it('rejects documents that do not match, for all writes', () => {
    create({ a: { $gt: 0 } });
    assert.equal(insert({ _id: 1, a: 1 }).n, 1);
    assert.equal(insert({ a: 0 }).writeErrors[0].code, 121);
    assert.equal(update({ $set: { a: -1 } }).writeErrors[0].code, 121);
    assert.equal(update({ a: -1 }).writeErrors[0].code, 121);
    const modify = { findAndModify: 'c', query: {}, update: { $inc: { a: -5 } } };
    assert.equal(cluster.run(modify).code, 121);
    const pipeline: Document[] = [{ $set: { a: -1 } }, { $merge: 'c' }];
    assert.equal(cluster.run({ aggregate: 'c', pipeline, cursor: {} }).code, 121);
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, a: 1 }]);
  });

  it('is skipped on request, when off, and when it only warns', () => {
    create({ a: 1 });
    assert.equal(cluster.run({ insert: 'c', documents: [{}], bypassDocumentValidation: true }).n, 1);
    cluster.run({ collMod: 'c', validationLevel: 'off' });
    assert.equal(insert({}).n, 1);
    cluster.run({ collMod: 'c', validationLevel: 'strict', validationAction: 'warn' });
    assert.equal(insert({}).n, 1);
    cluster.run({ collMod: 'c', validationAction: 'error' });
    assert.equal(insert({}).writeErrors[0].code, 121);
    cluster.run({ collMod: 'c', validator: {} });
    assert.equal(insert({}).n, 1);
  });

  it('may use operators outside the Stable API, if the command that stored it may', () => {
    const strict = { apiVersion: '1', apiStrict: true };
    const unstable = { $ne: [{ $meta: 'searchScore' }, 5] };
    for (const $expr of [unstable, { $and: [unstable, { $lt: ['$a', '$$NOW'] }] }]) {
      assert.equal(create({ $expr }, strict).codeName, 'APIStrictError');
      assert.equal(create({ $expr }).ok, 1);
      assert.equal(cluster.run({ insert: 'c', documents: [{ a: 1 }], ...strict }).n, 1);
      cluster.run({ drop: 'c' });
    }
  });

  it('cannot run scripts', () => {
    const script = { $function: { body: 'function() { return true; }', args: [], lang: 'js' } };
    assert.equal(cluster.run({ create: 'scripted', validator: { $expr: script } }).code, 4660800);
    const view = { create: 'v', viewOn: 'c', pipeline: [{ $set: { x: script } }] };
    assert.equal(cluster.run(view).code, 4660800);
  });

  it('ignores updates of documents that never matched if moderate', () => {
    insert({ _id: 1, b: 0 });
    cluster.run({ collMod: 'c', validator: { a: 1 }, validationLevel: 'moderate' });
    assert.equal(update({ $set: { b: 1 } }).nModified, 1);
    assert.equal(update({ $set: { a: 1 } }).nModified, 1);
    assert.equal(update({ $set: { a: 2 } }).writeErrors[0].code, 121);
    assert.equal(insert({ a: 2 }).writeErrors[0].code, 121);
  });

  it('can use the time', () => {
    create({ $expr: { $lte: ['$at', '$$NOW'] } });
    const at = new Date(cluster.clock.now() + 1000);
    assert.equal(insert({ at }).writeErrors[0].code, 121);
    cluster.clock.advance(2000);
    assert.equal(insert({ at }).n, 1);
  });
});

describe('the errInfo of a rejected document', () => {
  const cases: Array<[string, Document, Document, Document]> = [
    [
      'a comparison',
      { a: { $gt: 5 } },
      { a: 3 },
      {
        operatorName: '$gt',
        specifiedAs: { a: { $gt: 5 } },
        reason: 'comparison failed',
        consideredValue: 3,
      },
    ],
    [
      'a missing field',
      { a: 5 },
      {},
      { operatorName: '$eq', specifiedAs: { a: 5 }, reason: 'field was missing' },
    ],
    [
      'a type',
      { a: { $type: 'string' } },
      { a: 1 },
      {
        operatorName: '$type',
        specifiedAs: { a: { $type: 'string' } },
        reason: 'type did not match',
        consideredValue: 1,
        consideredType: 'int',
      },
    ],
    [
      'several conditions',
      { a: 1, b: { $exists: true } },
      { a: 1 },
      {
        operatorName: '$and',
        clausesNotSatisfied: [
          {
            index: 1,
            details: {
              operatorName: '$exists',
              specifiedAs: { b: { $exists: true } },
              reason: 'path does not exist',
            },
          },
        ],
      },
    ],
    [
      'a negated condition',
      { a: { $not: { $lt: 5 } } },
      { a: 1 },
      {
        operatorName: '$not',
        details: {
          operatorName: '$lt',
          specifiedAs: { a: { $lt: 5 } },
          reason: 'comparison succeeded',
          consideredValue: 1,
        },
      },
    ],
    [
      'an expression',
      { $expr: { $gt: ['$a', '$b'] } },
      { a: 1, b: 2 },
      {
        operatorName: '$expr',
        specifiedAs: { $expr: { $gt: ['$a', '$b'] } },
        reason: 'expression did not match',
        expressionResult: false,
      },
    ],
  ];
  for (const [what, validator, document, expected] of cases) {
    it(`names ${what}`, () => assert.deepEqual(reasons(validator, document), expected));
  }

  const rules: Array<[string, Document, Document, Document[]]> = [
    [
      'a property',
      { properties: { a: { bsonType: 'int', description: 'a number' } } },
      { a: 'x' },
      [
        {
          operatorName: 'properties',
          propertiesNotSatisfied: [
            {
              propertyName: 'a',
              description: 'a number',
              details: [
                {
                  operatorName: 'bsonType',
                  specifiedAs: { bsonType: 'int' },
                  reason: 'type did not match',
                  consideredValue: 'x',
                  consideredType: 'string',
                },
              ],
            },
          ],
        },
      ],
    ],
    [
      'required',
      { required: ['a', '_id', 'b'] },
      {},
      [
        {
          operatorName: 'required',
          specifiedAs: { required: ['a', '_id', 'b'] },
          missingProperties: ['a', 'b'],
        },
      ],
    ],
    [
      'additional properties',
      { properties: { _id: {}, a: {} }, additionalProperties: false },
      { a: 1, b: 1, c: 1 },
      [
        {
          operatorName: 'additionalProperties',
          specifiedAs: { additionalProperties: false },
          additionalProperties: ['b', 'c'],
        },
      ],
    ],
    [
      'an item',
      { properties: { a: { items: { minimum: 2 } } } },
      { a: [2, 1] },
      [
        {
          operatorName: 'properties',
          propertiesNotSatisfied: [
            {
              propertyName: 'a',
              details: [
                {
                  operatorName: 'items',
                  reason: 'At least one item did not match the sub-schema',
                  itemIndex: 1,
                  details: [
                    {
                      operatorName: 'minimum',
                      specifiedAs: { minimum: 2 },
                      reason: 'comparison failed',
                      consideredValue: 1,
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    ],
    [
      'several matching schemas',
      { oneOf: [{ required: ['_id'] }, { minProperties: 1 }] },
      {},
      [{ operatorName: 'oneOf', reason: 'more than one subschema matched', matchingSchemaIndexes: [0, 1] }],
    ],
  ];
  for (const [what, schema, document, schemaRulesNotSatisfied] of rules) {
    it(`names ${what} in a schema`, () => {
      const expected = { operatorName: '$jsonSchema', schemaRulesNotSatisfied };
      assert.deepEqual(reasons({ $jsonSchema: schema }, document), expected);
    });
  }
});

describe('a clustered collection', () => {
  it('is in _id order, and its _id is limited in size', () => {
    cluster.run({ create: 'c', clusteredIndex: { key: { _id: 1 }, unique: true } });
    insert({ _id: 3 }, { _id: 1 }, { _id: 2 });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
    assert.equal(insert({ _id: 'x'.repeat(8 * 1024 * 1024) }).writeErrors[0].code, 5894900);
    assert.equal(insert({ _id: 3 }).writeErrors[0].code, 11000);
    insert({ _id: Number.NaN });
    assert.equal(insert({ _id: Number.NaN }).writeErrors[0].code, 50819);
    assert.deepEqual(cluster.run({ listIndexes: 'c' }).cursor.firstBatch, [
      { v: 2, key: { _id: 1 }, name: '_id_', unique: true, clustered: true },
    ]);
  });
});

describe('a time series', () => {
  beforeEach(() => {
    cluster.run({ create: 'c', timeseries: { timeField: 't', metaField: 'm' } });
    insert({ _id: 1, t: new Date(0), m: 'a', v: 1 }, { _id: 2, t: new Date(1), m: 'b', v: 2 });
  });

  it('requires the time field in every document', () => {
    assert.equal(insert({ m: 'a' }).writeErrors[0].code, 2);
    assert.equal(insert({ t: 1 }).writeErrors[0].code, 2);
    assert.deepEqual(cluster.run({ count: 'c' }).n, 2);
  });

  it('allows updates of the metaField only', () => {
    const change = (q: Document, u: unknown, more: Document = {}) =>
      cluster.run({ update: 'c', updates: [{ q, u, multi: true, ...more }] });
    assert.equal(change({ m: 'a' }, { $set: { m: 'c' } }).nModified, 1);
    const rejected = [
      change({}, { $set: { v: 1 } }),
      change({ v: 1 }, { $set: { m: 'c' } }),
      change({}, { $rename: { m: 'x' } }),
      change({}, [{ $set: { m: 'c' } }]),
      change({}, { $set: { m: 'c' } }, { multi: false }),
      change({}, { $set: { m: 'c' } }, { upsert: true }),
    ];
    assert.deepEqual(
      rejected.map(({ writeErrors }) => writeErrors?.[0].code),
      rejected.map(() => 72),
    );
    const modify = { findAndModify: 'c', query: {}, update: { $set: { m: 1 } } };
    assert.equal(cluster.run(modify).code, 72);
    assert.equal(cluster.run({ delete: 'c', deletes: [{ q: { v: 2 }, limit: 0 }] }).n, 1);
  });

  it('is listed with its buckets and its view, and dropped with them', () => {
    const types = () =>
      cluster
        .run({ listCollections: 1, nameOnly: true })
        .cursor.firstBatch.map(({ name, type }: Document) => [name, type]);
    assert.deepEqual(types(), [
      ['c', 'timeseries'],
      ['system.buckets.c', 'collection'],
      ['system.views', 'collection'],
    ]);
    assert.deepEqual(cluster.run({ drop: 'c' }), { ns: 'test.c', ok: 1 });
    assert.deepEqual(types(), [['system.views', 'collection']]);
    assert.deepEqual(cluster.run({ find: 'system.views' }, { user: root }).cursor.firstBatch, []);
  });

  it('accepts longer bucket spans, and rejects shorter ones', () => {
    const modify = (timeseries: Document) => cluster.run({ collMod: 'c', timeseries });
    assert.equal(modify({ granularity: 'hours' }).ok, 1);
    assert.equal(modify({ granularity: 'minutes' }).code, 72);
    assert.equal(modify({ bucketMaxSpanSeconds: 60 }).code, 72);
    assert.equal(cluster.run({ collMod: 'c', expireAfterSeconds: 60 }).ok, 1);
    const [{ options }] = cluster.run({ listCollections: 1, filter: { name: 'c' } }).cursor.firstBatch;
    assert.equal(options.expireAfterSeconds, 60n);
    assert.equal(options.timeseries.granularity, 'hours');
  });

  it('does not change bucket spans together with other options', () => {
    const timeseries = { granularity: 'hours' };
    const others = [{ expireAfterSeconds: 60 }, { validator: {} }, { index: { name: 'x', hidden: true } }];
    for (const other of others) assert.equal(cluster.run({ collMod: 'c', timeseries, ...other }).code, 72);
    assert.equal(cluster.run({ collMod: 'c', timeseries: {}, expireAfterSeconds: 60 }).ok, 1);
  });
});
