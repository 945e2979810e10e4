import type { Document } from 'bson';
import { aggregate, fields, find, type Make, numbers, ring } from './testing-hostile-parts.ts';

/** This file contains long definitions of collections, indexes and views, and long geometries. */

const within = (geometry: Document) => ({ g: { $geoWithin: { $geometry: geometry } } });
const points = (count: number) =>
  numbers(count).map((i) => ({ g: { type: 'Point', coordinates: [i / 10, i / 10] } }));
/** Returns a small square that overlaps no other. */
const square = (i: number) => {
  const [x, y] = [(i % 100) / 10 - 5, Math.floor(i / 100) / 1_000 - 5];
  return [
    [x, y],
    [x + 0.01, y],
    [x + 0.01, y + 0.0005],
    [x, y + 0.0005],
    [x, y],
  ];
};
const nestedSchema = (levels: number): Document =>
  levels === 0 ? { minimum: 0 } : { properties: { a: nestedSchema(levels - 1) } };
const nested = (levels: number): Document => (levels === 0 ? { a: 1 } : { a: nested(levels - 1) });

const geometries: Readonly<Record<string, Make>> = {
  'polygon of many corners': (size) => ({
    documents: points(20),
    command: find(within({ type: 'Polygon', coordinates: [ring(size / 5)] })),
  }),
  'polygon with many holes': (size) => ({
    documents: points(20),
    command: find(
      within({ type: 'Polygon', coordinates: [ring(100), ...numbers(size / 50).map((i) => square(i))] }),
    ),
  }),
  'many polygons': (size) => ({
    documents: points(20),
    command: find(within({ type: 'MultiPolygon', coordinates: numbers(size / 50).map((i) => [square(i)]) })),
  }),
  'flat polygon of many corners': (size) => ({
    documents: numbers(20).map((i) => ({ g: [i / 10, i / 10] })),
    command: find({ g: { $geoWithin: { $polygon: ring(size / 5) } } }),
  }),
  'near many points': (size) => ({
    documents: [
      ...points(20),
      { g: { type: 'LineString', coordinates: numbers(size / 25).map((i) => [i / size, i / size]) } },
    ],
    before: [{ createIndexes: 'c', indexes: [{ key: { g: '2dsphere' }, name: 'g' }] }],
    command: find(
      { g: { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } } },
      { projection: { _id: 1 } },
    ),
  }),
};

const definitions: Readonly<Record<string, Make>> = {
  'many indexes': () => ({
    documents: [{ a: 1 }],
    command: {
      createIndexes: 'c',
      indexes: numbers(63).map((i) => ({
        key: fields(30, (n) => (n === 0 ? 1 : -1)),
        name: `i${i}`,
        sparse: i > 0,
      })),
    },
  }),
  'insert into many indexes': (size) => ({
    documents: [{ a: 1 }],
    before: [
      {
        createIndexes: 'c',
        indexes: numbers(60).map((i) => ({ key: { [`f${i}`]: 1 }, name: `i${i}` })),
      },
    ],
    command: { insert: 'c', documents: numbers(size / 50).map((n) => fields(60, (i) => n * i)) },
  }),
  'schema of nested properties': () => ({
    documents: [nested(90)],
    command: find({ $jsonSchema: nestedSchema(90) }),
  }),
  'schema of many alternatives': (size) => ({
    documents: [{ a: 1 }],
    command: find({
      $jsonSchema: { anyOf: numbers(size / 25).map((n) => ({ properties: { a: { enum: [-n] } } })) },
    }),
  }),
  'schema of many patterns': (size) => ({
    documents: [fields(size / 100)],
    command: find({
      $jsonSchema: { patternProperties: fields(100, () => ({ minimum: 0 })) },
    }),
  }),
  'schema of many values': (size) => ({
    documents: [{ a: -1 }],
    command: find({ $jsonSchema: { properties: { a: { enum: numbers(size) } } } }),
  }),
  'validator of many values': (size) => ({
    documents: [{ a: 1 }],
    command: { collMod: 'c', validator: { a: { $nin: numbers(size) } } },
  }),
  'partial filter of many values': (size) => ({
    documents: [{ a: 1 }],
    command: {
      createIndexes: 'c',
      indexes: [{ key: { a: 1 }, name: 'a', partialFilterExpression: { a: { $in: numbers(size) } } }],
    },
  }),
  'views that read each other twice': () => ({
    documents: [{ a: 1 }],
    before: numbers(14).map((i) => ({
      create: `v${i}`,
      viewOn: i === 0 ? 'c' : `v${i - 1}`,
      pipeline: [{ $unionWith: i === 0 ? 'c' : `v${i - 1}` }],
    })),
    command: aggregate({ $unionWith: 'v13' }, { $count: 'n' }),
  }),
  'lookups in lookups': (size) => ({
    documents: numbers(size / 2_500).map((a) => ({ a })),
    command: aggregate(
      numbers(2).reduce<Document>(
        (pipeline) => ({ $lookup: { from: 'c', pipeline: [{ $limit: 8 }, pipeline], as: 'r' } }),
        { $lookup: { from: 'c', pipeline: [], as: 'r' } },
      ),
      { $project: { _id: 1 } },
    ),
  }),
  'collation of long texts': (size) => ({
    documents: numbers(20).map((i) => ({ t: `${'äÄa '.repeat(size / 25)}${i}` })),
    command: find({}, { sort: { t: 1 }, collation: { locale: 'de', strength: 1 }, projection: { _id: 1 } }),
  }),
  'equal texts under a collation': (size) => ({
    documents: numbers(20).map((i) => ({ t: `${'äÄa '.repeat(size / 25)}${i}` })),
    command: find(
      { t: 'a' },
      { collation: { locale: 'de', strength: 1, numericOrdering: true }, projection: { _id: 1 } },
    ),
  }),
  'texts that differ in case under a collation': (size) => ({
    documents: ['ab', 'AB', 'áB'].map((t) => ({ t: t.repeat(size * 5) })),
    command: {
      ...aggregate({ $sort: { t: 1 } }, { $group: { _id: '$t' } }, { $count: 'n' }),
      collation: { locale: 'en', strength: 1 },
    },
  }),
  'accents from the end under a collation': (size) => ({
    documents: ['éb', 'eb'].map((t) => ({ t: t.repeat(size * 4) })),
    command: find(
      {},
      { sort: { t: 1 }, collation: { locale: 'fr', backwards: true }, projection: { _id: 1 } },
    ),
  }),
  'index over long texts under a collation': (size) => ({
    documents: ['äÄ', '00 '].map((t) => ({ t: t.repeat(size * 4) })),
    command: {
      createIndexes: 'c',
      indexes: [{ key: { t: 1 }, name: 't', collation: { locale: 'de', numericOrdering: true } }],
    },
  }),
  'list of many search indexes': (size) => ({
    documents: [{ a: 1 }],
    before: [
      {
        createSearchIndexes: 'c',
        indexes: numbers(size / 40)
          .slice(0, 1_000)
          .map((i) => ({ name: `n${i}`, definition: { mappings: { dynamic: true } } })),
      },
    ],
    command: aggregate({ $listSearchIndexes: {} }, { $count: 'n' }),
  }),
};

export const hostileDefinitions: Readonly<Record<string, Make>> = { ...geometries, ...definitions };
