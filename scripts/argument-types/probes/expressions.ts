import { operatorTable } from '../../../packages/engine/src/language/expression/operators.ts';
import { holes, nested, type Shape, type Subject } from '../subject.ts';
import { bsonOf } from '../values.ts';

/** Operands of expression operators. An operator that is not listed has one argument, which is its operand. */

const day = new Date(1_700_000_000_000);
const two = [nested([6, 4])];
const lists = [nested([[1], [1]])];
const condition = { $gt: ['$$x', 1] };
const regex = { input: 'x', regex: 'x', options: 'i' };
const moved = [nested({ startDate: day, unit: 'day', amount: 1, timezone: 'UTC' })];
const dated = [nested({ date: day, timezone: 'UTC' })];
const chosen = [nested({ n: 1, input: [1, 2] })];
const positions = [nested(['abc', 'b', 0, 3])];
const parts = [
  '$year',
  '$month',
  '$dayOfMonth',
  '$hour',
  '$minute',
  '$second',
  '$millisecond',
  '$dayOfYear',
  '$dayOfWeek',
  '$week',
  '$isoDayOfWeek',
  '$isoWeek',
  '$isoWeekYear',
];
const pairs = [
  '$add',
  '$subtract',
  '$multiply',
  '$divide',
  '$mod',
  '$pow',
  '$log',
  '$atan2',
  '$bitAnd',
  '$bitOr',
  '$bitXor',
  '$cmp',
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$and',
  '$or',
  '$ifNull',
  '$round',
  '$trunc',
];

const same = (names: readonly string[], templates: readonly unknown[]) =>
  Object.fromEntries(names.map((name) => [name, templates]));

const templates: Readonly<Record<string, readonly unknown[]>> = {
  ...same(pairs, two),
  ...same(parts, ['x', ...dated]),
  ...same(
    ['$concatArrays', '$setUnion', '$setIntersection', '$setDifference', '$setEquals', '$setIsSubset'],
    lists,
  ),
  ...same(['$dateAdd', '$dateSubtract'], moved),
  ...same(['$firstN', '$lastN', '$minN', '$maxN'], chosen),
  ...same(['$regexMatch', '$regexFind', '$regexFindAll'], [nested(regex)]),
  ...same(['$replaceOne', '$replaceAll'], [nested({ input: 'x', find: 'x', replacement: 'y' })]),
  ...same(['$trim', '$ltrim', '$rtrim'], [nested({ input: 'x', chars: 'x' })]),
  ...same(['$indexOfBytes', '$indexOfCP'], positions),
  ...same(['$substr', '$substrBytes', '$substrCP'], [nested(['abc', 0, 1])]),
  ...same(['$concat', '$strcasecmp', '$split'], [nested(['a', 'b'])]),
  ...same(['$allElementsTrue', '$anyElementTrue'], [nested([[1]])]),
  $arrayElemAt: [nested([[1], 0])],
  $in: [nested([1, [1]])],
  $indexOfArray: [nested([[1], 1, 0, 1])],
  $range: [nested([0, 4, 1])],
  $slice: [nested([[1, 2], 0, 1])],
  $zip: [nested({ inputs: nested([[1], [2]]), useLongestLength: true, defaults: nested([0, 0]) })],
  $arrayToObject: [
    [['a', 1]],
    nested([nested([nested(['a', 1])])]),
    nested([nested([nested({ k: 'a', v: 1 })])]),
  ],
  // biome-ignore lint/suspicious/noThenProperty: the name of the argument
  $cond: [nested({ if: true, then: 1, else: 2 }), nested([true, 1, 2])],
  // biome-ignore lint/suspicious/noThenProperty: the name of the argument
  $switch: [nested({ branches: nested([nested({ case: true, then: 1 })]), default: 2 })],
  $dateDiff: [nested({ startDate: day, endDate: day, unit: 'week', timezone: 'UTC', startOfWeek: 'monday' })],
  $dateTrunc: [nested({ date: day, unit: 'week', binSize: 1, timezone: 'UTC', startOfWeek: 'monday' })],
  $dateToParts: [nested({ date: day, timezone: 'UTC', iso8601: false })],
  $dateToString: [nested({ date: day, format: '%Y', timezone: 'UTC', onNull: 1 })],
  $dateFromString: [nested({ dateString: '2024', format: '%Y', timezone: 'UTC', onError: 1, onNull: 1 })],
  $dateFromParts: [
    nested({ year: 2024, month: 1, day: 1, hour: 1, minute: 1, second: 1, millisecond: 1, timezone: 'UTC' }),
    nested({ isoWeekYear: 2024, isoWeek: 1, isoDayOfWeek: 1, hour: 1 }),
  ],
  $function: [nested({ body: 'function(){}', args: [], lang: 'js' })],
  $map: [nested({ input: [1], as: 'x', in: 1, arrayIndexAs: 'i' })],
  $filter: [nested({ input: [1], as: 'x', cond: condition, limit: 1, arrayIndexAs: 'i' })],
  $reduce: [nested({ input: [1], initialValue: 0, in: 1, arrayIndexAs: 'i' })],
  $let: [nested({ vars: nested({ x: 1 }), in: 1 })],
  $getField: [nested({ field: 'a', input: { a: 1 } })],
  $setField: [nested({ field: 'a', input: { a: 1 }, value: 1 })],
  $unsetField: [nested({ field: 'a', input: { a: 1 } })],
  $median: [nested({ input: [1], method: 'approximate' })],
  $percentile: [nested({ input: [1], p: nested([0.5]), method: 'approximate' })],
  $sortArray: [nested({ input: [1], sortBy: 1 }), nested({ input: [{ a: 1 }], sortBy: nested({ a: 1 }) })],
  $sigmoid: [1, nested({ input: 1, onNull: 1 })],
  $convert: [
    nested({ input: '1', to: 'int', onError: 1, onNull: 1 }),
    nested({ input: 'YQ==', to: nested({ type: 'binData', subtype: 0 }), format: 'base64' }),
    nested({ input: 1, to: 'binData', byteOrder: 'little' }),
  ],
  $mergeObjects: [nested([{ a: 1 }, { b: 1 }])],
};

function projecting(operator: string, operand: unknown): Shape {
  return { aggregate: 'probe', pipeline: [{ $project: { r: { [operator]: operand } } }], cursor: {} };
}

export function expressionSubjects(): Subject[] {
  return Object.keys(operatorTable)
    .toSorted()
    .flatMap((name) =>
      (templates[name] ?? [bsonOf(1)]).flatMap((template) =>
        holes(template).map(({ field, shape }) => ({
          page: 'expressions',
          of: name,
          field,
          command: projecting(name, shape),
        })),
      ),
    );
}
