import { Long } from 'bson';
import { hostileDefinitions } from './testing-hostile-definitions.ts';
import {
  aggregate,
  fields,
  find,
  findFields,
  type Make,
  numbers,
  ring,
  texts,
  update,
  withArray,
  withFields,
  withText,
} from './testing-hostile-parts.ts';
import { hostileSearches } from './testing-hostile-search.ts';
import { hostileValues } from './testing-hostile-values.ts';

const queries: Readonly<Record<string, Make>> = {
  'find on many fields': withFields(findFields),
  'find with an inclusion': withFields((size) => ({ ...findFields(size), projection: { f1: 1 } })),
  'find with an exclusion': withFields((size) => ({ ...findFields(size), projection: { f1: 0 } })),
  'find with many projected fields': (size) => ({
    documents: [{ _id: 0, ...fields(size / 10) }],
    command: find({}, { projection: fields(size / 10, () => 1) }),
  }),
  'find with a sort by an array': (size) => ({
    documents: [numbers(size), numbers(size)].map((a, _id) => ({ _id, a })),
    command: find({}, { sort: { a: 1 }, projection: { _id: 1 } }),
  }),
  'equality with a long array': (size) => ({
    documents: [{ a: numbers(size) }],
    command: find({ a: numbers(size) }, { projection: { _id: 1 } }),
  }),
  distinct: withArray(() => ({ distinct: 'c', key: 'a', query: {} })),
  'indexed $or': (size) => ({
    documents: [{ a: 1, b: 1 }],
    before: [{ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }],
    command: find({ $or: numbers(size / 25).map((a) => ({ a: -a, b: a })) }),
  }),
  'indexed $in': (size) => ({
    documents: [{ a: 1 }],
    before: [{ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }],
    command: find({ a: { $in: numbers(size).map((n) => -1 - n) } }),
  }),
  'explain of a long $or': (size) => ({
    documents: [{ a: 1 }],
    before: [{ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }],
    command: { explain: find({ $or: numbers(size / 25).map((a) => ({ a: -a, b: a })) }) },
  }),
  '$and of many fields': (size) => ({
    documents: [{ a: 1 }],
    command: find(fields(size / 5)),
  }),
  'properties of a schema': (size) => ({
    documents: [{ _id: 0, ...fields(size / 2.5) }],
    command: find(
      { $jsonSchema: { properties: fields(size / 2.5, () => ({ minimum: 0 })) } },
      { projection: { _id: 1 } },
    ),
  }),
  'failure of a validator': (size) => ({
    documents: [],
    before: [
      { create: 'v', validator: { $jsonSchema: { properties: { a: { items: { minimum: size } } } } } },
    ],
    command: { insert: 'v', documents: [{ a: numbers(size) }] },
  }),
  'failure of many properties': (size) => ({
    documents: [],
    before: [
      {
        create: 'v',
        validator: { $jsonSchema: { properties: fields(size / 25, () => ({ minimum: size })) } },
      },
    ],
    command: { insert: 'v', documents: [fields(size / 25)] },
  }),
  'failure of many patterns': (size) => ({
    documents: [],
    before: [
      {
        create: 'v',
        validator: {
          $jsonSchema: {
            patternProperties: fields(50, () => ({})),
            additionalProperties: { minimum: size },
          },
        },
      },
    ],
    command: {
      insert: 'v',
      documents: [Object.fromEntries(numbers(size / 25).map((i) => [`g${i}`, i]))],
    },
  }),
  'within a polygon': (size) => ({
    documents: numbers(20).map((i) => ({ g: { type: 'Point', coordinates: [i / 10, i / 10] } })),
    command: find({ g: { $geoWithin: { $geometry: { type: 'Polygon', coordinates: [ring(size / 25)] } } } }),
  }),
  'a stored polygon': (size) => ({
    documents: [{ g: { type: 'Polygon', coordinates: [ring(size / 25)] } }],
    command: find(
      { g: { $geoIntersects: { $geometry: { type: 'Point', coordinates: [0, 0] } } } },
      { projection: { _id: 1 } },
    ),
  }),
  'an index over a polygon': (size) => ({
    documents: [{ g: { type: 'Polygon', coordinates: [ring(size / 25)] } }],
    command: { createIndexes: 'c', indexes: [{ key: { g: '2dsphere' }, name: 'g' }] },
  }),
};

const stages: Readonly<Record<string, Make>> = {
  $unwind: withArray(() => aggregate({ $unwind: '$a' }, { $count: 'n' })),
  '$group by an array': withArray(() =>
    aggregate({ $group: { _id: '$a', n: { $sum: 1 } } }, { $count: 'n' }),
  ),
  $addFields: withFields(() => aggregate({ $addFields: { z: 1 } }, { $project: { z: 1 } })),
  '$replaceRoot, $unset': withFields(() =>
    aggregate({ $unset: 'f1' }, { $replaceRoot: { newRoot: { f2: '$f2' } } }),
  ),
  '$lookup by a long array': (size) => ({
    documents: [{ _id: 0, a: numbers(size / 5) }],
    command: aggregate(
      { $lookup: { from: 'c', localField: 'a', foreignField: '_id', as: 'r' } },
      { $project: { _id: 1 } },
    ),
  }),
  '$graphLookup by a long array': (size) => ({
    documents: [{ _id: 0, a: numbers(size / 5) }],
    command: aggregate(
      {
        $graphLookup: { from: 'c', startWith: '$a', connectFromField: 'a', connectToField: '_id', as: 'r' },
      },
      { $project: { _id: 1 } },
    ),
  }),
  $bucketAuto: withArray(() => aggregate({ $unwind: '$a' }, { $bucketAuto: { groupBy: '$a', buckets: 5 } })),
  $sort: withArray(() => aggregate({ $unwind: '$a' }, { $sort: { a: -1 } }, { $limit: 1 })),
  $setWindowFields: (size) => ({
    documents: [{ _id: 0, a: numbers(size / 10) }],
    command: aggregate(
      { $unwind: '$a' },
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: { m: { $sum: '$a', window: { documents: [-50, 50] } } },
        },
      },
      { $count: 'n' },
    ),
  }),
  '$out of a large document': withFields(() => aggregate({ $out: 'o' })),
  $densify: () => ({
    documents: [{ a: 0 }, { a: 200_000 }],
    command: aggregate({ $densify: { field: 'a', range: { step: 1, bounds: 'full' } } }, { $count: 'n' }),
  }),
};

const writes: Readonly<Record<string, Make>> = {
  'update pipeline': withArray(() => update([{ $set: { a: { $concatArrays: ['$a', [1]] } } }])),
  'update pipeline beside an array': withArray(() => update([{ $set: { b: 1 } }])),
  'update pipeline over many fields': withFields(() => update([{ $set: { z: 1 } }])),
  'update beside an array': withArray(() => update({ $set: { z: 1 } })),
  'update beside many fields': withFields(() => update({ $set: { z: 1 } })),
  'update of each entry': withArray(() => update({ $inc: { 'a.$[]': 1 } })),
  $push: withArray(() => update({ $push: { a: { $each: [1], $sort: -1 } } })),
  $addToSet: withArray(() => update({ $addToSet: { a: -1 } })),
  $pull: withArray(() => update({ $pull: { a: { $lt: 10 } } })),
  $pullAll: withArray((size) => update({ $pullAll: { a: numbers(size / 5) } })),
  '$set of many fields': (size) => ({ documents: [{ _id: 0 }], command: update({ $set: fields(size / 5) }) }),
  '$unset of many fields': (size) => ({
    documents: [{ _id: 0, ...fields(size / 5) }],
    command: update({ $unset: fields(size / 5) }),
  }),
  '$rename of many fields': (size) => ({
    documents: [{ _id: 0, ...fields(size / 25) }],
    command: update({ $rename: fields(size / 25, (i) => `g${i}`) }),
  }),
  replacement: (size) => ({
    documents: [{ _id: 0, ...fields(size) }],
    command: update({ a: 1, ...fields(size, (i) => i + 1) }),
  }),
  'update of an indexed array': (size) => ({
    documents: [{ _id: 0, a: numbers(size / 5) }],
    before: [{ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }],
    command: update({ $push: { a: -1 } }),
  }),
  'insert of many fields': (size) => ({
    documents: [],
    command: { insert: 'd', documents: [fields(size)] },
  }),
  'insert of many documents': (size) => ({
    documents: [],
    command: { insert: 'd', documents: numbers(size / 10).map((n) => ({ n })) },
  }),
  'many updates': (size) => ({
    documents: [{ _id: 0, n: 0 }],
    command: {
      update: 'c',
      updates: numbers(size / 50).map((n) => ({ q: { _id: 0 }, u: { $set: { n } } })),
    },
  }),
  'findAndModify of a large document': withFields(() => ({
    findAndModify: 'c',
    query: {},
    update: { $set: { z: 1 } },
    new: true,
  })),
  delete: withFields(() => ({ delete: 'c', deletes: [{ q: {}, limit: 0 }] })),
  'index over an array': withArray(() => ({
    createIndexes: 'c',
    indexes: [{ key: { a: 1 }, name: 'a' }],
  })),
  'hashed index': withFields(() => ({ createIndexes: 'c', indexes: [{ key: { f1: 'hashed' }, name: 'a' }] })),
  'compound index over an array': withArray(() => ({
    createIndexes: 'c',
    indexes: [{ key: { n: 1, a: -1 }, name: 'a' }],
  })),
  'wildcard index': withFields(() => ({
    createIndexes: 'c',
    indexes: [{ key: { '$**': 1 }, name: 'w' }],
  })),
  'unique index over an array': withArray(() => ({
    createIndexes: 'c',
    indexes: [{ key: { a: 1 }, name: 'a', unique: true }],
  })),
  'text index': withText('word and other ', () => ({
    createIndexes: 'c',
    indexes: [{ key: { t: 'text' }, name: 't' }],
  })),
  'partial filter': (size) => ({
    documents: [{ a: 1 }],
    command: {
      createIndexes: 'c',
      indexes: [
        {
          key: { a: 1 },
          name: 'a',
          partialFilterExpression: { $or: numbers(size / 25).map((a) => ({ a, b: -a })) },
        },
      ],
    },
  }),
};

const commands: Readonly<Record<string, Make>> = {
  'comment of many fields': (size) => ({
    documents: [{ _id: 0 }],
    command: find({}, { comment: fields(size) }),
  }),
  let: (size) => ({ documents: [{ _id: 0 }], command: find({}, { let: fields(size / 5) }) }),
  'listCollections with a long filter': (size) => ({
    documents: [{ _id: 0 }],
    command: { listCollections: 1, filter: { name: { $in: texts(size) } } },
  }),
  'creation of a long view': (size) => ({
    documents: [{ _id: 0 }],
    command: { create: 'w', viewOn: 'c', pipeline: [{ $addFields: fields(size / 25) }] },
  }),
  'validator of many properties': (size) => ({
    documents: [{ _id: 0 }],
    command: {
      collMod: 'c',
      validator: { $jsonSchema: { properties: fields(size / 25, () => ({ minimum: 0 })) } },
    },
  }),
  killCursors: (size) => ({
    documents: [{ _id: 0 }],
    command: { killCursors: 'c', cursors: numbers(size).map((n) => Long.fromNumber(n)) },
  }),
  'unknown fields': (size) => ({ documents: [{ _id: 0 }], command: { find: 'c', ...fields(size) } }),
  'a stage of many stages': (size) => ({
    documents: [{ _id: 0 }],
    command: aggregate({ $facet: fields(size / 100, () => [{ $match: { _id: 0 } }]) }),
  }),
};

export const hostileStatements: Readonly<Record<string, Make>> = {
  ...queries,
  ...hostileValues,
  ...stages,
  ...writes,
  ...commands,
  ...hostileSearches,
  ...hostileDefinitions,
};

/**
 * Statements that yield too rarely to be tested. They are rejected, or one native call copies or searches a text or
 * document. Such a call processes at most 16 MB, or the memory of a script, and takes less than 50 ms.
 */
export const inOnePass: ReadonlySet<string> = new Set([
  ...[
    'comment of many fields',
    'delete',
    'hashed index',
    'text index',
    'unknown fields',
    'find on many fields',
  ],
  ...['update beside an array', 'update pipeline beside an array'],
  ...[
    ...['$bsonSize', '$concat', '$convert', '$dateFromString', '$getField', '$indexOfBytes', '$indexOfCP'],
    ...[
      '$replaceAll',
      '$replaceOne',
      '$strLenCP',
      '$substrBytes',
      '$substrCP',
      '$toHashedIndexKey of a text',
    ],
  ].map((name) => `expression ${name}`),
  ...[
    ...[
      'code of many statements',
      'encodeURI',
      'fill',
      'localeCompare',
      'replace',
      'sort of numbers',
      'split',
    ],
    ...['upper', 'long text'],
  ].map((name) => `script: ${name}`),
]);
