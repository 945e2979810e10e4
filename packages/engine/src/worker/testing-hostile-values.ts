import { Long } from 'bson';
import {
  aggregate,
  evaluated,
  fields,
  find,
  inArray,
  inFields,
  inText,
  type Make,
  numbers,
  value,
} from './testing-hostile-parts.ts';

const arrays = evaluated(
  {
    $map: { $size: { $map: { input: '$a', in: { $add: ['$$this', 1] } } } },
    $filter: { $size: { $filter: { input: '$a', cond: { $gt: ['$$this', 5] } } } },
    $reduce: { $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
    $concatArrays: { $size: { $concatArrays: ['$a', '$a'] } },
    $reverseArray: { $size: { $reverseArray: '$a' } },
    $sortArray: { $size: { $sortArray: { input: '$a', sortBy: -1 } } },
    $slice: { $size: { $slice: ['$a', 1, 1_000_000] } },
    $in: { $in: [-1, '$a'] },
    $indexOfArray: { $indexOfArray: ['$a', -1] },
    $setUnion: { $size: { $setUnion: ['$a', [1]] } },
    $setIntersection: { $size: { $setIntersection: ['$a', '$a'] } },
    $setDifference: { $size: { $setDifference: ['$a', [1]] } },
    $setEquals: { $setEquals: ['$a', '$a'] },
    $setIsSubset: { $setIsSubset: ['$a', '$a'] },
    $allElementsTrue: { $allElementsTrue: ['$a'] },
    $zip: { $size: { $zip: { inputs: ['$a', '$a'] } } },
    $sum: { $sum: '$a' },
    $avg: { $avg: '$a' },
    $max: { $max: '$a' },
    $stdDevPop: { $stdDevPop: '$a' },
    $median: { $median: { input: '$a', method: 'approximate' } },
    $maxN: { $maxN: { input: '$a', n: 5 } },
    $minN: { $minN: { input: '$a', n: 5 } },
    $lastN: { $lastN: { input: '$a', n: 5 } },
    $arrayElemAt: { $arrayElemAt: ['$a', -1] },
    $last: { $last: '$a' },
    $eq: { $eq: ['$a', { $concatArrays: ['$a', []] }] },
    $cmp: { $cmp: ['$a', { $concatArrays: ['$a', []] }] },
    $toHashedIndexKey: { $toHashedIndexKey: '$a' },
    $bsonSize: { $bsonSize: '$$ROOT' },
    $getField: { $getField: { field: 'z', input: '$$ROOT' } },
    $range: { $size: { $range: [0, { $size: '$a' }] } },
    $arrayToObject: {
      $size: {
        $objectToArray: {
          $arrayToObject: { $map: { input: '$a', in: [{ $toString: '$$this' }, 1] } },
        },
      },
    },
  },
  inArray,
);

const ofTexts = evaluated(
  {
    $trim: { $strLenCP: { $trim: { input: '$t', chars: ' aé' } } },
    $split: { $size: { $split: ['$t', ' '] } },
    $replaceAll: { $strLenCP: { $replaceAll: { input: '$t', find: 'a', replacement: 'bb' } } },
    $replaceOne: { $strLenCP: { $replaceOne: { input: '$t', find: 'zz', replacement: 'b' } } },
    $substrCP: { $strLenCP: { $substrCP: ['$t', 100, 10_000_000] } },
    $substrBytes: { $strLenBytes: { $substrBytes: ['$t', 0, 10_000] } },
    $strLenCP: { $strLenCP: '$t' },
    $indexOfCP: { $indexOfCP: ['$t', 'zz'] },
    $indexOfBytes: { $indexOfBytes: ['$t', 'zz'] },
    $toUpper: { $strLenCP: { $toUpper: '$t' } },
    $strcasecmp: { $strcasecmp: ['$t', { $concat: ['$t', 'a'] }] },
    $concat: { $strLenCP: { $concat: ['$t', 'x'] } },
    $regexFindAll: { $size: { $regexFindAll: { input: '$t', regex: 'a' } } },
    $regexMatch: { $regexMatch: { input: '$t', regex: '(?=(a+))\\1zz' } },
    '$toHashedIndexKey of a text': { $toHashedIndexKey: '$t' },
    $convert: { $convert: { input: '$t', to: 'double', onError: 1 } },
    $dateFromString: { $dateFromString: { dateString: '$t', onError: 1 } },
  },
  inText,
);

const ofFields = evaluated(
  {
    $objectToArray: { $size: { $objectToArray: '$$ROOT' } },
    $mergeObjects: { $type: { $mergeObjects: ['$$ROOT', { z: 1 }] } },
    $setField: { $type: { $setField: { field: 'z', input: '$$ROOT', value: 1 } } },
    'equality of documents': { $eq: ['$$ROOT', { $mergeObjects: ['$$ROOT', { z: 1 }] }] },
  },
  inFields,
);

const script =
  (body: string): Make =>
  (size) => ({
    documents: [{ _id: 0, n: size }],
    command: find({ $where: `function () { const n = this.n; ${body} }` }, { projection: { _id: 1 } }),
  });
const functionOf =
  (body: string): Make =>
  (size) => ({
    documents: [{ _id: 0, n: size }],
    command: value({ $type: { $function: { body: `function (n) { ${body} }`, args: ['$n'], lang: 'js' } } }),
  });
const made = 'const a = Array.from({ length: n }, (_, i) => (i * 7919) % n);';

const scripts: Readonly<Record<string, Make>> = {
  'script: sort': script(`${made} a.sort(); return true;`),
  'script: toSorted': script(`${made} a.toSorted(); return true;`),
  'script: sort of numbers': script(`const a = new Float64Array(n); a.sort(); return true;`),
  'script: reverse': script(`${made} a.reverse(); return true;`),
  'script: join': script(`${made} return a.join().length > 0;`),
  'script: concat': script(`${made} return a.concat(a).length > 0;`),
  'script: includes': script(`${made} return !a.includes(-1);`),
  'script: splice': script(`${made} a.splice(0, 1); a.unshift(1); return true;`),
  'script: fill': script(`return new Array(n).fill(1).length > 0;`),
  'script: Object.keys': script(
    `const o = {}; for (let i = 0; i < n / 5; i++) o['k' + i] = i; return Object.entries(o).length > 0;`,
  ),
  'script: spread': script(`${made} return [...a, ...a].length > 0;`),
  'script: Set': script(`${made} return new Set(a).size > 0;`),
  'script: JSON': script(`${made} return JSON.parse(JSON.stringify(a)).length > 0;`),
  'script: deep JSON': script(
    `const a = Array.from({ length: n / 5 }, (_, i) => ({ a: [i], b: { c: 'x' } })); return JSON.stringify(a).length > 0;`,
  ),
  'script: eval': script(`return eval('[' + '1,'.repeat(n) + '1]').length > 0;`),
  'script: new Function': script(`return new Function('return [' + '1,'.repeat(n) + '1]')().length > 0;`),
  'script: RegExp': script(`return 'ab '.repeat(n).match(/b/g).length > 0;`),
  'script: backtracking': script(`return !/^(a+)+$/.test('a'.repeat(26) + '!');`),
  'script: split': script(`return 'ab '.repeat(n).split(' ').length > 0;`),
  'script: replace': script(`return 'ab '.repeat(n).replaceAll('a', 'cc').length > 0;`),
  'script: upper': script(`return 'ab '.repeat(n).toUpperCase().normalize('NFD').length > 0;`),
  'script: localeCompare': script(`const t = 'é'.repeat(n); return t.localeCompare(t + 'a') < 0;`),
  'script: encodeURI': script(`return decodeURIComponent(encodeURIComponent('é '.repeat(n))).length > 0;`),
  'script: code of many statements': (size) => ({
    documents: [{ _id: 0 }],
    command: find({ $where: `function () { ${'a = 1;'.repeat(size)} return true; }` }),
  }),
  'script: long result': functionOf(`${made} return a;`),
  'script: result of many fields': functionOf(
    `const o = {}; for (let i = 0; i < n / 5; i++) o['k' + i] = i; return o;`,
  ),
  'script: long text': functionOf(`return 'x'.repeat(n * 20);`),
  'script: long argument': (size) => ({
    documents: [{ _id: 0, a: numbers(size) }],
    command: value({
      $function: { body: 'function (a) { return a.length; }', args: ['$a'], lang: 'js' },
    }),
  }),
  'script: argument of objects': (size) => ({
    documents: [{ _id: 0, a: numbers(size / 5).map((n) => ({ n: Long.fromNumber(n) })) }],
    command: value({
      $function: { body: 'function (a) { return a.length; }', args: ['$a'], lang: 'js' },
    }),
  }),
  'script: this of many fields': (size) => ({
    documents: [{ _id: 0, ...fields(size / 2) }],
    command: find({ $where: 'return this.f1 === 1;' }, { projection: { _id: 1 } }),
  }),
  'script: many calls': (size) => ({
    documents: numbers(size / 100).map((_id) => ({ _id })),
    command: aggregate({
      $group: {
        _id: null,
        all: {
          $accumulator: {
            init: 'function () { return []; }',
            accumulate:
              'function (state, n) { for (let i = 0; i < 100; i++) state.push("x" + n); return state; }',
            accumulateArgs: ['$_id'],
            merge: 'function (a, b) { return a.concat(b); }',
            lang: 'js',
          },
        },
      },
    }),
  }),
  mapReduce: (size) => ({
    documents: [{ _id: 0, a: numbers(size / 5) }],
    command: {
      mapReduce: 'c',
      map: 'function () { for (const n of this.a) emit(n % 100, n); }',
      reduce: 'function (key, values) { return Array.sum(values); }',
      out: { inline: 1 },
    },
  }),
};

/** Expressions and scripts. */
export const hostileValues: Readonly<Record<string, Make>> = {
  ...arrays,
  ...ofTexts,
  ...ofFields,
  ...scripts,
};
