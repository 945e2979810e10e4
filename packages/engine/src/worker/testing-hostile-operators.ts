import type { Document } from 'bson';
import { accumulators } from '../language/expression/accumulators/index.ts';
import { operatorTable } from '../language/expression/operators.ts';
import { functions } from '../language/pipeline/window/functions.ts';
import { modifiers } from '../language/update/modifiers.ts';
import { aggregate, fields, type Make, numbers, update, value } from './testing-hostile-parts.ts';

/**
 * Statements over large values for each accumulator, window function, update operator and expression operator that the
 * engine has. An operator without an entry in the tables of this file gets the usual operands.
 */

function memoized<T>(make: (size: number) => T): (size: number) => T {
  const made = new Map<number, T>();
  return (size) => {
    const known = made.get(size) ?? make(size);
    made.set(size, known);
    return known;
  };
}

type Operands = Readonly<Record<string, unknown>>;
/** Statements by name. */
type Statements = Readonly<Record<string, Make>>;

const byName = (names: Iterable<string>, make: (name: string) => readonly (readonly [string, Make])[]) =>
  Object.fromEntries([...names].flatMap(make)) as Statements;

const picked = { input: '$a', n: 5 };
const ranked = { output: '$a', sortBy: { a: -1 }, n: 5 };
const perGroup: Operands = {
  $count: {},
  ...Object.fromEntries(['$firstN', '$lastN', '$minN', '$maxN'].map((name) => [name, picked])),
  ...Object.fromEntries(['$topN', '$bottomN'].map((name) => [name, ranked])),
  ...Object.fromEntries(['$top', '$bottom'].map((name) => [name, { output: '$a', sortBy: { a: -1 } }])),
  $median: { input: '$a', method: 'approximate' },
  $percentile: { input: '$a', p: [0.5], method: 'approximate' },
  $mergeObjects: { n: '$a' },
  $accumulator: {
    init: 'function () { return 0; }',
    accumulate: 'function (state) { return state + 1; }',
    accumulateArgs: [],
    merge: 'function (a, b) { return a + b; }',
    lang: 'js',
  },
};
const ofArrays: Operands = { ...perGroup, $mergeObjects: '$o' };
/** Accumulators whose operands are arrays. */
const takeArrays = new Set(['$setUnion', '$concatArrays']);
const whole = { $project: { _id: 1 } };

const accumulating = byName(accumulators.keys(), (name) => {
  const operand = perGroup[name] ?? (takeArrays.has(name) ? [['$a']] : '$a');
  const ofMany: Make = (size) => ({
    documents: [{ _id: 0, a: numbers(name === '$accumulator' ? size / 20 : size) }],
    command: aggregate({ $unwind: '$a' }, { $group: { _id: null, r: { [name]: operand } } }, whole),
  });
  const ofLarge: Make = (size) => ({
    documents: numbers(4).map((_id) => ({ _id, a: numbers(size / 4), o: fields(size / 4, (i) => i + _id) })),
    command: aggregate(
      { $group: { _id: null, r: { [name]: ofArrays[name] ?? '$a' } } },
      { $project: { n: { $type: '$r' } } },
    ),
  });
  return [
    [`accumulator ${name}`, ofMany],
    [`accumulator ${name} of long arrays`, ofLarge],
  ];
});

const inWindow: Operands = {
  ...perGroup,
  $rank: {},
  $denseRank: {},
  $documentNumber: {},
  $shift: { output: '$a', by: 1 },
  $expMovingAvg: { input: '$a', N: 10 },
  $derivative: { input: '$a' },
  $integral: { input: '$a' },
  $covariancePop: ['$a', '$a'],
  $covarianceSamp: ['$a', '$a'],
};
const withoutWindow = new Set([
  ...['$rank', '$denseRank', '$documentNumber', '$shift', '$expMovingAvg', '$locf', '$linearFill'],
]);
/** Functions whose results grow with the window. */
const growing = new Set(['$push', '$addToSet', '$concatArrays', '$setUnion', '$mergeObjects']);

const windowed = byName(new Set([...functions.keys(), ...accumulators.keys()]), (name) => {
  if (name === '$accumulator') return [];
  const operand = inWindow[name] ?? (takeArrays.has(name) ? [['$a']] : '$a');
  const over = (documents: unknown): Make => {
    return (size) => ({
      documents: [{ _id: 0, a: numbers(growing.has(name) ? size / 50 : size / 4) }],
      command: aggregate(
        { $unwind: '$a' },
        {
          $setWindowFields: {
            sortBy: { a: 1 },
            output: { r: { [name]: operand, ...(documents === undefined ? {} : { window: { documents } }) } },
          },
        },
        { $count: 'n' },
      ),
    });
  };
  if (withoutWindow.has(name)) return [[`window function ${name}`, over(undefined)]];
  return [
    [`window function ${name}`, over([-50, 50])],
    [`window function ${name} from the start`, over(['unbounded', 'current'])],
    [`window function ${name} over all`, over(['unbounded', 'unbounded'])],
  ];
});

const changes: Readonly<Record<string, (size: number) => Document>> = {
  $addToSet: (size) => ({ a: { $each: numbers(size).map((n) => n + size / 2) } }),
  $bit: () => ({ 'a.$[]': { xor: 1 } }),
  $currentDate: (size) => fields(size / 5, () => true),
  $inc: () => ({ 'a.$[]': 1 }),
  $max: () => ({ 'a.$[]': 1 }),
  $min: () => ({ 'a.$[]': 1 }),
  $mul: () => ({ 'a.$[]': 2 }),
  $pop: () => ({ a: -1 }),
  $pull: (size) => ({ a: { $in: numbers(size) } }),
  $pullAll: (size) => ({ a: numbers(size) }),
  $push: (size) => ({ a: { $each: numbers(size), $position: 1, $slice: -size } }),
  $set: () => ({ 'a.$[x]': 1 }),
  $setOnInsert: (size) => fields(size / 5),
  $unset: () => ({ 'a.$[]': 1 }),
};

const updating = byName(modifiers.keys(), (name) => {
  const ofArray: Make = (size) => {
    const change = { [name]: changes[name]?.(size) ?? { a: 1 } };
    const filters = JSON.stringify(change).includes('$[x]') ? { arrayFilters: [{ x: { $gte: 5 } }] } : {};
    return { documents: [{ _id: 0, a: numbers(size) }], command: update(change, filters) };
  };
  const ofFields: Make = (size) => ({
    documents: [{ _id: 0, ...fields(size / 5, () => (name === '$push' ? [] : 1)) }],
    command: update({ [name]: fields(size / 5, () => (name === '$bit' ? { or: 1 } : 1)) }),
  });
  return [
    [`update operator ${name}`, ofArray],
    [`update operator ${name} of many fields`, ofFields],
  ];
});

const text = 'aé ';
const named: Operands = {
  $arrayToObject: { $map: { input: '$a', in: { k: { $toString: '$$this' }, v: 1 } } },
  $cond: [{ $gt: [{ $size: '$a' }, 1] }, '$a', 1],
  $convert: { input: '$t', to: 'int', onError: '$a' },
  $dateFromString: { dateString: '$t', onError: '$a' },
  $filter: { input: '$a', cond: { $gt: ['$$this', 5] } },
  $firstN: picked,
  $function: { body: 'function (a) { return a.length; }', args: ['$a'], lang: 'js' },
  $getField: { field: 'f1', input: '$o' },
  $in: [-1, '$a'],
  $indexOfArray: ['$a', -1],
  $lastN: picked,
  $let: { vars: { x: '$a' }, in: '$$x' },
  $map: { input: '$a', in: { $add: ['$$this', 1] } },
  $maxN: picked,
  $median: { input: '$a', method: 'approximate' },
  $mergeObjects: ['$o', '$o'],
  $minN: picked,
  $objectToArray: '$o',
  $percentile: { input: '$a', p: [0.1, 0.5], method: 'approximate' },
  $range: [0, { $size: '$a' }],
  $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } },
  $regexFind: { input: '$t', regex: 'zz' },
  $regexFindAll: { input: '$t', regex: 'a' },
  $regexMatch: { input: '$t', regex: 'zz' },
  $replaceAll: { input: '$t', find: 'a', replacement: 'bb' },
  $replaceOne: { input: '$t', find: 'zz', replacement: 'b' },
  $setField: { field: 'z', input: '$o', value: 1 },
  $slice: ['$a', 1, 10_000_000],
  $sortArray: { input: '$a', sortBy: -1 },
  $split: ['$t', ' '],
  $switch: {
    branches: [
      Object.fromEntries([
        ['case', { $gt: [{ $size: '$a' }, 1] }],
        ['then', '$a'],
      ]),
    ],
  },
  $trim: { input: '$t', chars: text },
  $ltrim: { input: '$t', chars: text },
  $rtrim: { input: '$t', chars: text },
  $unsetField: { field: 'f1', input: '$o' },
  $zip: { inputs: ['$a', '$a'] },
};
const substrings = ['$substr', '$substrBytes', '$substrCP'];
const operands = (name: string): readonly (readonly [string, unknown])[] => {
  if (substrings.includes(name)) return [['', ['$t', 0, 3_000_000]]];
  if (name in named) return [['', named[name]]];
  return [
    [' of an array', '$a'],
    [' of arrays', ['$a', { $reverseArray: '$a' }]],
    [' of a text', '$t'],
    [' of texts', ['$t', { $concat: ['$t', 'a'] }]],
    [' of documents', ['$o', { $mergeObjects: ['$o', { z: 1 }] }]],
  ];
};

/** The document of all expressions, so that they can share a collection. */
const documents = memoized((size: number) => [
  { _id: 0, a: numbers(size), t: text.repeat(size * 3), o: fields(size / 2) },
]);

const evaluating = byName(Object.keys(operatorTable), (name) => {
  const each = operands(name).map(([kind, operand]): readonly [string, Make] => [
    `operator ${name}${kind}`,
    (size) => ({
      documents: documents(size),
      command: value({ $type: { [name]: operand } }),
    }),
  ]);
  const many: readonly [string, Make] = [
    `operator ${name} of many values`,
    (size) => ({
      documents: documents(size),
      command: value({
        $size: { $map: { input: '$a', as: 'v', in: { $ifNull: [{ [name]: ['$$v', '$$v'] }, 0] } } },
      }),
    }),
  ];
  return name in named || substrings.includes(name) ? each : [...each, many];
});

export const hostileOperators: Statements = { ...accumulating, ...windowed, ...updating, ...evaluating };
