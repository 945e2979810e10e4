import { aggregate, fields, type Make, numbers, withArray, withFields } from './testing-hostile-parts.ts';

const unwound = (...stages: object[]): Make => withArray(() => aggregate({ $unwind: '$a' }, ...stages));
const counted = { $count: 'n' };

/** Statements over large values for stages that no other statement has. */
export const hostileStages: Readonly<Record<string, Make>> = {
  'stage $redact': (size) => ({
    documents: [{ _id: 0, a: numbers(size / 2).map((n) => ({ n })) }],
    command: aggregate({ $redact: { $cond: [{ $eq: ['$n', 5] }, '$$PRUNE', '$$DESCEND'] } }, { $unset: 'a' }),
  }),
  'stage $fill': unwound(
    { $project: { _id: 0, a: 1, b: { $cond: [{ $eq: [{ $mod: ['$a', 100] }, 0] }, '$a', null] } } },
    { $fill: { sortBy: { a: 1 }, output: { b: { method: 'linear' } } } },
    counted,
  ),
  'stage $merge': (size) => ({
    documents: [{ _id: 0, ...fields(size / 2) }],
    command: aggregate({ $merge: { into: 'm', whenMatched: 'merge' } }),
  }),
  'stage $merge of many documents': (size) => ({
    documents: [{ _id: 0, a: numbers(size / 20) }],
    command: aggregate({ $unwind: '$a' }, { $project: { _id: '$a', a: 1 } }, { $merge: { into: 'm' } }),
  }),
  'stage $unionWith': unwound({ $unionWith: { coll: 'c', pipeline: [{ $unwind: '$a' }] } }, counted),
  'stage $sample': unwound({ $sample: { size: 1_000 } }, counted),
  'stage $sortByCount': unwound({ $sortByCount: { $mod: ['$a', 1_000] } }, counted),
  'stage $bucket': unwound({ $bucket: { groupBy: '$a', boundaries: numbers(5_000), default: 'x' } }, counted),
  'stage $skip': unwound({ $skip: 10 }, counted),
  'stage $replaceWith': unwound({ $replaceWith: { b: '$a' } }, counted),
  'stage $set': unwound({ $set: { b: '$a' } }, counted),
  'stage $documents': (size) => ({
    documents: [],
    command: {
      aggregate: 1,
      pipeline: [{ $documents: numbers(size / 10).map((n) => ({ n })) }, counted],
      cursor: {},
    },
  }),
  'stage $geoNear': (size) => ({
    documents: numbers(size / 20).map((i) => ({ g: [(i % 360) - 180, (i % 180) - 90] })),
    before: [{ createIndexes: 'c', indexes: [{ key: { g: '2dsphere' }, name: 'g' }] }],
    command: aggregate(
      { $geoNear: { near: [0, 0], distanceField: 'd', spherical: true, key: 'g' } },
      counted,
    ),
  }),
  'stage $project of many fields': withFields((size) => aggregate({ $project: fields(size / 25, () => 1) })),
  'stage $match': unwound({ $match: { a: { $gt: 5 } } }, counted),
};
