import type { Document } from 'bson';
import fc from 'fast-check';
import { accumulators } from '../expression/accumulators/index.ts';
import { operatorTable } from '../expression/operators.ts';
import { documents, values } from './values.ts';

/**
 * This file generates random commands for tests. Their documents, filters, updates and pipelines are often nearly
 * valid.
 */

const paths = fc.constantFrom('a', 'b', 'c', '_id', 'a.b', 'a.0', 'b.c.d', 'a.b.0');
const words = (text: string) => text.trim().split(/\s+/);

/** Operators with scripts, which start slowly and have tests of their own. */
const scripted: ReadonlySet<string> = new Set(['$function', '$accumulator']);
const operators = Object.keys(operatorTable).filter((name) => !scripted.has(name));
const collectors = [...accumulators.keys()].filter((name) => !scripted.has(name));
const namedArguments =
  words(`input as in cond if then else date unit format timezone startDate endDate dateString find
  replacement regex to onError onNull n sortBy by vars initialValue field value chars year month p method amount limit`);
const small = fc.constantFrom<unknown>(0, 1, -1, 2, 3.5, 100, '', 'x', 'day', 'a', true, null, [], {});
const named = <T>(one: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom(...namedArguments), one, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
const one = <T>(name: fc.Arbitrary<string>, operand: fc.Arbitrary<T>): fc.Arbitrary<Document> =>
  fc.tuple(name, operand).map(([key, value]) => ({ [key]: value }));
const several = <T>(name: fc.Arbitrary<string>, operand: fc.Arbitrary<T>, most = 3): fc.Arbitrary<Document> =>
  fc.dictionary(name, operand, { minKeys: 1, maxKeys: most, noNullPrototype: true });

const variables = fc.constantFrom(
  '$a',
  '$b',
  '$a.b',
  '$_id',
  '$$ROOT',
  '$$NOW',
  '$$REMOVE',
  '$$this',
  '$$value',
);
const { expression } = fc.letrec<{ expression: unknown }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    variables,
    small,
    values,
    one(fc.constantFrom(...operators), fc.array(tie('expression'), { maxLength: 3 })),
    one(fc.constantFrom(...operators), fc.oneof(tie('expression'), named(tie('expression')))),
    named(tie('expression')),
  ),
}));

const tests =
  words(`$eq $ne $gt $gte $lt $lte $in $nin $exists $type $mod $regex $options $size $all $elemMatch $not
  $bitsAllSet $bitsAnyClear $geoWithin $near`);
const { filter } = fc.letrec<{ filter: Document }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    several(paths, fc.oneof(values, small)),
    several(
      paths,
      several(
        fc.constantFrom(...tests),
        fc.oneof(values, small, fc.array(values, { maxLength: 3 }), tie('filter')),
        2,
      ),
    ),
    one(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 })),
    expression.map((value) => ({ $expr: value })),
    several(
      fc.constantFrom('bsonType', 'required', 'properties', 'minimum', 'items'),
      fc.oneof(small, values),
    ).map((schema) => ({ $jsonSchema: schema })),
  ),
}));

const modifiers = words(`$set $unset $inc $mul $min $max $rename $push $pull $addToSet $pop $bit $currentDate
  $setOnInsert $pullAll`);
const modifierOperand = fc.oneof(
  values,
  small,
  several(
    fc.constantFrom('$each', '$slice', '$sort', '$position', '$type', 'and', 'or', '$gt'),
    fc.oneof(values, small),
  ),
);
const directions = several(paths, fc.constantFrom<unknown>(1, -1, 1, -1, { $meta: 'textScore' }, 'x', 0));
const projection = several(
  paths,
  fc.oneof(fc.constantFrom<unknown>(0, 1), expression, one(fc.constant('$slice'), small)),
);
const output = several(
  fc.constantFrom('x', 'y'),
  one(fc.constantFrom(...collectors), fc.oneof(expression, named(expression))),
);
const windowed = several(
  fc.constantFrom('x', 'y.z'),
  fc
    .tuple(
      one(
        fc.constantFrom(
          ...collectors,
          ...words('$rank $denseRank $documentNumber $shift $derivative $integral'),
        ),
        fc.oneof(expression, fc.constant({})),
      ),
      fc.option(several(fc.constantFrom('documents', 'range', 'unit'), fc.array(small, { maxLength: 2 }))),
    )
    .map(([operator, window]) => ({ ...operator, ...(window ? { window } : {}) })),
);
const densified = fc.record({
  field: paths,
  range: fc.record({ step: small, bounds: fc.oneof(fc.constantFrom('full', 'partition'), fc.array(small)) }),
});
const filled = several(
  paths,
  fc.oneof(
    one(fc.constant('method'), fc.constantFrom('locf', 'linear')),
    one(fc.constant('value'), expression),
  ),
);

const { pipeline } = fc.letrec<{ pipeline: Document[]; stage: Document }>((tie) => ({
  pipeline: fc.array(tie('stage'), { maxLength: 3 }) as fc.Arbitrary<Document[]>,
  stage: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    filter.map((spec) => ({ $match: spec })),
    projection.map((spec) => ({ $project: spec })),
    several(paths, expression).map((spec) => ({ $set: spec })),
    fc.tuple(expression, output).map(([id, fields]) => ({ $group: { _id: id, ...fields } })),
    directions.map((spec) => ({ $sort: spec })),
    fc
      .record(
        { groupBy: variables, buckets: small, output, granularity: fc.constantFrom('R5', 'POWERSOF2', 'E6') },
        { requiredKeys: ['groupBy', 'buckets'] },
      )
      .map((spec) => ({ $bucketAuto: spec })),
    fc
      .record(
        { groupBy: expression, boundaries: fc.array(small), default: small, output },
        { requiredKeys: ['groupBy', 'boundaries'] },
      )
      .map((spec) => ({ $bucket: spec })),
    several(fc.constantFrom('f', 'g'), tie('pipeline')).map((spec) => ({ $facet: spec })),
    fc
      .record(
        {
          from: fc.constantFrom('c', 'other'),
          localField: paths,
          foreignField: paths,
          as: paths,
          pipeline: tie('pipeline'),
        },
        { requiredKeys: ['from', 'as'] },
      )
      .map((spec) => ({ $lookup: spec })),
    fc
      .record(
        {
          from: fc.constant('c'),
          startWith: expression,
          connectFromField: paths,
          connectToField: paths,
          as: paths,
          maxDepth: small,
        },
        { requiredKeys: ['from', 'startWith', 'connectFromField', 'connectToField', 'as'] },
      )
      .map((spec) => ({ $graphLookup: spec })),
    tie('pipeline').map((inner) => ({ $unionWith: { coll: 'c', pipeline: inner } })),
    fc
      .oneof(
        variables,
        fc.record({ path: variables, preserveNullAndEmptyArrays: fc.boolean(), includeArrayIndex: paths }),
      )
      .map((spec) => ({ $unwind: spec })),
    fc
      .record({ partitionBy: expression, sortBy: directions, output: windowed }, { requiredKeys: ['output'] })
      .map((spec) => ({ $setWindowFields: spec })),
    densified.map((spec) => ({ $densify: spec })),
    fc
      .record({ sortBy: directions, output: filled }, { requiredKeys: ['output'] })
      .map((spec) => ({ $fill: spec })),
    expression.map((spec) => ({ $redact: spec })),
    expression.map((spec) => ({ $replaceWith: spec })),
    expression.map((spec) => ({ $sortByCount: spec })),
    one(
      fc.constantFrom('$limit', '$skip', '$count', '$unset', '$sample', '$merge', '$out', '$documents'),
      fc.oneof(small, paths),
    ),
  ),
}));

const update = fc.oneof(
  several(fc.constantFrom(...modifiers), several(paths, modifierOperand), 2),
  pipeline,
  documents,
);

/** Commands on the collection `c`. */
export const requests: fc.Arbitrary<Document> = fc.oneof(
  fc
    .record({ filter, sort: directions, projection, skip: fc.nat(3), limit: fc.nat(3) }, { requiredKeys: [] })
    .map((parts) => ({ find: 'c', ...parts })),
  pipeline.map((stages) => ({ aggregate: 'c', pipeline: stages, cursor: {} })),
  pipeline.map((stages) => ({ aggregate: 'c', pipeline: stages, cursor: {} })),
  fc
    .record({ q: filter, u: update, upsert: fc.boolean(), multi: fc.boolean() }, { requiredKeys: ['q', 'u'] })
    .map((statement) => ({ update: 'c', updates: [statement] })),
  fc
    .record(
      {
        query: filter,
        update,
        fields: projection,
        sort: directions,
        new: fc.boolean(),
        upsert: fc.boolean(),
      },
      { requiredKeys: ['query', 'update'] },
    )
    .map((parts) => ({ findAndModify: 'c', ...parts })),
  filter.map((q) => ({ delete: 'c', deletes: [{ q, limit: 1 }] })),
  filter.map((query) => ({ count: 'c', query })),
  fc.tuple(paths, filter).map(([key, query]) => ({ distinct: 'c', key, query })),
  documents.map((document) => ({ insert: 'c', documents: [document] })),
  fc
    .array(documents, { minLength: 2, maxLength: 4 })
    .map((several_) => ({ insert: 'c', documents: several_, ordered: false })),
);
