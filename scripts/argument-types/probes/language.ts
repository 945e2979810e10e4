import {
  pathOperators,
  topLevelOperatorTable,
} from '../../../packages/engine/src/language/filter/compile.ts';
import { keywords } from '../../../packages/engine/src/language/filter/json-schema/compile.ts';
import { modifiers } from '../../../packages/engine/src/language/update/modifiers.ts';
import { holes, nested, type Shape, type Subject } from '../subject.ts';

/**
 * Operators of queries, updates, projections and schemas. An operator that is not listed has one argument, which is its
 * operand.
 */

const polygon = nested({
  $geometry: nested({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    ],
  }),
});
const within = [
  polygon,
  nested({
    $box: nested([
      [0, 0],
      [1, 1],
    ]),
  }),
  nested({ $center: nested([[0, 0], 1]) }),
  nested({ $centerSphere: nested([[0, 0], 1]) }),
  nested({
    $polygon: nested([
      [0, 0],
      [0, 1],
      [1, 1],
    ]),
  }),
];
const near = [
  nested([0, 0]),
  nested({
    $geometry: nested({ type: 'Point', coordinates: nested([0, 0]) }),
    $maxDistance: 1,
    $minDistance: 0,
  }),
];

const query: Readonly<Record<string, readonly unknown[]>> = {
  $all: [nested([1])],
  $in: [nested([1])],
  $nin: [nested([1])],
  $mod: [nested([2, 1])],
  $elemMatch: [nested({ $gt: 1 })],
  $not: [nested({ $gt: 1 })],
  $type: [1, nested([1])],
  $geoWithin: within,
  $within: within,
  $geoIntersects: [polygon],
  $near: near,
  $nearSphere: near,
  $geoNear: near,
  ...Object.fromEntries(
    ['$bitsAllClear', '$bitsAllSet', '$bitsAnyClear', '$bitsAnySet'].map((name) => [name, [nested([1])]]),
  ),
};
const beside: Readonly<Record<string, Shape>> = {
  $options: { $regex: 'x' },
  $maxDistance: { $near: [0, 0] },
  $minDistance: { $near: [0, 0] },
  $uniqueDocs: {
    $geoWithin: {
      $box: [
        [0, 0],
        [1, 1],
      ],
    },
  },
};

const topLevel: Readonly<Record<string, readonly unknown[]>> = {
  $and: [nested([{ a: 1 }])],
  $or: [nested([{ a: 1 }])],
  $nor: [nested([{ a: 1 }])],
  $text: [nested({ $search: 'x', $language: 'english', $caseSensitive: false, $diacriticSensitive: false })],
  $where: ['true'],
  $alwaysTrue: [1],
  $alwaysFalse: [1],
  $sampleRate: [1],
};

const find = (filter: Shape): Shape => ({ find: 'probe', filter });

function querySubjects(): Subject[] {
  const onPath = [...pathOperators.keys()].toSorted().flatMap((name) =>
    (query[name] ?? [1]).flatMap((template) =>
      holes(template).map(({ field, shape }) => ({
        page: 'query operators',
        of: name,
        field,
        command: find({
          [name.startsWith('$near') || name.startsWith('$geo') || name.endsWith('Distance') ? 'geo' : 'a']: {
            ...beside[name],
            [name]: shape,
          },
        }),
      })),
    ),
  );
  const above = [...topLevelOperatorTable.keys()].toSorted().flatMap((name) =>
    (topLevel[name] ?? [1]).flatMap((template) =>
      holes(template).map(({ field, shape }) => ({
        page: 'query operators',
        of: name,
        field,
        command: find({ [name]: shape }),
      })),
    ),
  );
  return [...onPath, ...above];
}

const update: Readonly<Record<string, readonly unknown[]>> = {
  $push: [
    nested({ c: 1 }),
    nested({ c: nested({ $each: nested([1]), $position: 0, $slice: 1, $sort: 1 }) }),
    nested({ c: nested({ $each: [{ a: 1 }], $sort: nested({ a: 1 }) }) }),
  ],
  $addToSet: [nested({ c: 1 }), nested({ c: nested({ $each: nested([1]) }) })],
  $pull: [nested({ c: 1 })],
  $pullAll: [nested({ c: nested([1]) })],
  $pop: [nested({ c: 1 })],
  $bit: [
    nested({ a: nested({ and: 1 }) }),
    nested({ a: nested({ or: 1 }) }),
    nested({ a: nested({ xor: 1 }) }),
  ],
  $currentDate: [nested({ x: true }), nested({ x: nested({ $type: 'date' }) })],
  $rename: [nested({ a: 'z' })],
};

const restored: readonly Shape[] = [
  { update: 'changed', updates: [{ q: {}, u: { _id: 1, a: 1, b: 'x', c: [1, 2] } }] },
];

function updateSubjects(): Subject[] {
  return [...modifiers.keys(), '$rename'].toSorted().flatMap((name) =>
    (update[name] ?? [nested({ a: 1 })]).flatMap((template) =>
      holes(template).map(({ field, shape }) => ({
        page: 'update operators',
        of: name,
        field,
        command: { update: 'changed', updates: [{ q: { _id: 1 }, u: { [name]: shape } }] },
        after: restored,
      })),
    ),
  );
}

const projections: Readonly<Record<string, readonly unknown[]>> = {
  $slice: [1, nested([0, 1])],
  $elemMatch: [nested({ $gt: 1 })],
  $meta: ['textScore'],
};

function projectionSubjects(): Subject[] {
  return Object.entries(projections).flatMap(([name, list]) =>
    list.flatMap((template) =>
      holes(template).map(({ field, shape }) => ({
        page: 'projections',
        of: name,
        field,
        command: { find: 'probe', projection: { c: { [name]: shape } } },
      })),
    ),
  );
}

const schema: Readonly<Record<string, readonly unknown[]>> = {
  allOf: [nested([{}])],
  anyOf: [nested([{}])],
  oneOf: [nested([{}])],
  not: [{}],
  enum: [nested([1])],
  properties: [nested({ a: {} })],
  patternProperties: [nested({ a: {} })],
  required: [nested(['a'])],
  dependencies: [nested({ a: nested(['b']) })],
  items: [nested([{}])],
  additionalProperties: [true],
  additionalItems: [true],
  type: ['number', nested(['number'])],
  bsonType: ['number', nested(['number'])],
};
const schemaBeside: Readonly<Record<string, Shape>> = {
  exclusiveMaximum: { maximum: 1 },
  exclusiveMinimum: { minimum: 1 },
};

function schemaSubjects(): Subject[] {
  return [...keywords.keys()].toSorted().flatMap((name) =>
    (schema[name] ?? [1]).flatMap((template) =>
      holes(template).map(({ field, shape }) => ({
        page: 'schema keywords',
        of: name,
        field,
        command: find({ $jsonSchema: { properties: { a: { ...schemaBeside[name], [name]: shape } } } }),
      })),
    ),
  );
}

export const languageSubjects = (): Subject[] => [
  ...querySubjects(),
  ...updateSubjects(),
  ...projectionSubjects(),
  ...schemaSubjects(),
];
