import { nested, type Shape } from '../subject.ts';
import { UUID } from '../values.ts';
import { restored } from './command-templates.ts';
import { collation, type NestedTemplate } from './nested-template.ts';

/** Fields of options for indexes and collections. */

const unindexed: readonly Shape[] = [{ dropIndexes: 'indexed', index: '*' }];
const created: readonly Shape[] = [{ dropDatabase: 1, $db: 'made' }];
const create = { create: 'made', $db: 'made' };

function index(options: Shape, key: Shape = { a: 1 }): NestedTemplate {
  return {
    of: 'createIndexes',
    command: { createIndexes: 'indexed', indexes: nested([nested({ key, name: 'i', ...options })]) },
    after: unindexed,
  };
}

const indexes: readonly NestedTemplate[] = [
  ...[
    ...['unique', 'sparse', 'background', 'hidden', 'prepareUnique', 'dropDups', 'clustered'].map((name) => ({
      [name]: false,
    })),
    { ns: 'test.probe' },
    { v: 2 },
    { expireAfterSeconds: 1 },
    { partialFilterExpression: {} },
    { storageEngine: {} },
    { collation: nested({ locale: 'en' }) },
    { bucketSize: 1 },
    { coarsestIndexedLevel: 1 },
    { finestIndexedLevel: 1 },
    { columnstoreProjection: {} },
    { originalSpec: {} },
  ].map((options) => index(options)),
  ...[
    { weights: nested({ a: 1 }) },
    { default_language: 'english' },
    { language_override: 'l' },
    { textIndexVersion: 3 },
  ].map((options) => index(options, { a: 'text' })),
  ...[{ bits: 26, min: -180, max: 180 }].map((options) => index(options, { a: '2d' })),
  index({ '2dsphereIndexVersion': 3 }, { a: '2dsphere' }),
  index({ wildcardProjection: { a: 1 } }, { '$**': 1 }),
  {
    of: 'createIndexes',
    command: { createIndexes: 'indexed', indexes: nested([nested({ key: nested({ a: 1 }), name: 'i' })]) },
    after: unindexed,
  },
];

const catalog: readonly NestedTemplate[] = [
  {
    of: 'create',
    command: { ...create, timeseries: nested({ timeField: 't', metaField: 'm', granularity: 'seconds' }) },
    after: created,
  },
  {
    of: 'create',
    command: {
      ...create,
      timeseries: nested({ timeField: 't', bucketMaxSpanSeconds: 60, bucketRoundingSeconds: 60 }),
    },
    after: created,
  },
  {
    of: 'create',
    command: {
      ...create,
      clusteredIndex: nested({ key: nested({ _id: 1 }), unique: true, name: 'c', v: 2 }),
    },
    after: created,
  },
  {
    of: 'create',
    command: { ...create, changeStreamPreAndPostImages: nested({ enabled: true }) },
    after: created,
  },
  {
    of: 'create',
    command: {
      ...create,
      idIndex: nested({
        key: { _id: 1 },
        name: '_id_',
        v: 2,
        ns: 'made.made',
        collation: { locale: 'simple' },
      }),
    },
    after: created,
  },
  {
    of: 'create',
    command: {
      ...create,
      indexOptionDefaults: nested({ storageEngine: {} }),
      storageEngine: nested({ wiredTiger: nested({ configString: '' }) }),
    },
    after: created,
  },
  { of: 'create', command: { ...create, viewOn: 'probe', pipeline: nested([{}]) }, after: created },
  {
    of: 'create',
    command: {
      ...create,
      encryptedFields: nested({
        fields: nested([
          nested({
            path: 'p',
            bsonType: 'string',
            keyId: UUID,
            queries: nested({ queryType: 'equality', contention: 4n }),
          }),
        ]),
        escCollection: 'e',
        ecocCollection: 'o',
      }),
    },
    after: created,
  },
  { of: 'create', command: { ...create, collation }, after: created },
  ...[
    { hidden: false },
    { expireAfterSeconds: 1 },
    { unique: false },
    { prepareUnique: false },
    { forceNonUnique: false },
  ].map((option) => ({
    of: 'collMod',
    command: { collMod: 'probe', index: nested({ keyPattern: nested({ a: 1 }), ...option }) },
  })),
  { of: 'collMod', command: { collMod: 'probe', index: nested({ name: 'absent', hidden: true }) } },
  {
    of: 'collMod',
    command: { collMod: 'probe', changeStreamPreAndPostImages: nested({ enabled: true }) },
    after: restored,
  },
  { of: 'collMod', command: { collMod: 'series', timeseries: nested({ granularity: 'minutes' }) } },
  {
    of: 'collMod',
    command: {
      collMod: 'series',
      timeseries: nested({ bucketMaxSpanSeconds: 3600, bucketRoundingSeconds: 3600 }),
    },
  },
  ...['listCollections', 'listIndexes'].map((of) => ({
    of,
    command: { [of]: of === 'listIndexes' ? 'probe' : 1, cursor: nested({ batchSize: 1 }) },
  })),
  { of: 'dropIndexes', command: { dropIndexes: 'indexed', index: nested(['a_1']) } },
  { of: 'dropIndexes', command: { dropIndexes: 'indexed', index: nested({ a: 1 }) } },
  {
    of: 'createIndexes',
    command: { createIndexes: 'indexed', indexes: nested([{ key: { a: 1 }, name: 'i' }]) },
    after: unindexed,
  },
];

export const catalogTemplates: readonly NestedTemplate[] = [...indexes, ...catalog];
