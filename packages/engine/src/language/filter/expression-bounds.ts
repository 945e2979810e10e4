import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { encodeKey } from '../../bson/keys.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import type { Environment } from '../environment.ts';
import { compileExpression } from '../expression/compile.ts';
import { allKeys, type Bounds, boundsOfPoints } from './bounds.ts';
import { collatedPoints } from './collated-bounds.ts';
import { collating } from './comparison.ts';
import type { ImpliedBounds } from './filter.ts';

const flipped = { $eq: '$eq', $gt: '$lt', $gte: '$lte', $lt: '$gt', $lte: '$gte' } as const;

type Comparing = keyof typeof flipped;

/**
 * The types of constants from which no bounds are derived. In an expression, a missing field is less than null, but in
 * an index, it has the key of null. So bounds from MinKey, undefined or null could exclude a missing field that
 * matches. Arrays are excluded because an index contains several keys for an array.
 */
const lowest: ReadonlySet<number> = new Set([
  bsonTypes.minKey,
  bsonTypes.undefined,
  bsonTypes.null,
  bsonTypes.array,
]);

/** Returns the bounds on fields that an expression compares with constants, also within `$and`. */
export function impliedBounds(operand: Value, environment: Environment): ImpliedBounds[] {
  if (operand.type !== bsonTypes.object) return [];
  const only = documentOf(operand).first();
  if (only?.type !== bsonTypes.array) return [];
  const entries = entriesOf(only);
  if (only.name === '$and') return entries.flatMap((entry) => impliedBounds(entry, environment));
  const [left, right] = entries;
  if (!Object.hasOwn(flipped, only.name) || left === undefined || right === undefined) return [];
  const operator = only.name as Comparing;
  const path = fieldOf(left);
  if (path !== undefined) return boundsOf(path, operator, right, environment);
  const other = fieldOf(right);
  return other === undefined ? [] : boundsOf(other, flipped[operator], left, environment);
}

/**
 * Returns the path of a field. Returns undefined if the path contains a number. An index treats a number also as an
 * array index, but an expression treats it only as a field name.
 */
function fieldOf(value: Value): string | undefined {
  if (value.type !== bsonTypes.string) return undefined;
  const text = textOf(value);
  return /^\$[^$]/.test(text) && !/(^\$|\.)\d+(\.|$)/.test(text) ? text.slice(1) : undefined;
}

function boundsOf(
  path: string,
  operator: Comparing,
  operand: Value,
  environment: Environment,
): ImpliedBounds[] {
  const { constant } = compileExpression(operand, environment);
  if (constant === undefined || lowest.has(constant.type)) return [];
  const { comparison = byBytes } = environment;
  const isEqual = operator === '$eq';
  const isUpper = operator === '$lt' || operator === '$lte';
  // If an array on the path is empty, the expression sees an empty array, which is greater than most constants.
  const mayBeMissing = isUpper || (!isEqual && path.includes('.'));
  if (collating(constant, comparison) !== undefined) {
    return isEqual
      ? [{ path, collated: collatedPoints([constant], comparison), scalar: false, mayBeMissing }]
      : [];
  }
  const bounds = isEqual ? boundsOfPoints([constant]) : rangeOf(operator, constant);
  return [{ path, bounds: { intervals: bounds.intervals }, scalar: !isEqual, mayBeMissing }];
}

/**
 * Returns the keys on one side of a constant. Unlike a filter, an expression also compares values of different types.
 */
function rangeOf(operator: Exclude<Comparing, '$eq'>, constant: Value): Bounds {
  const inclusive = operator === '$gte' || operator === '$lte';
  const end = { key: encodeKey(constant), inclusive, value: constant };
  const isLower = operator === '$gt' || operator === '$gte';
  return { intervals: [isLower ? { low: end, high: allKeys.high } : { low: allKeys.low, high: end }] };
}
