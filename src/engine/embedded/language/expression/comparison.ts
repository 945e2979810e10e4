import { rankOf } from '../bson-types.ts';
import { compareValues } from '../compare.ts';
import { bool, int32 } from '../value.ts';
import type { ExpressionTable } from './expression.ts';
import { type Argument, binary } from './operator.ts';

export const comparisonOperators: ExpressionTable = {
  $cmp: binary((a, b) => int32(compareArguments(a, b))),
  $eq: binary((a, b) => bool(compareArguments(a, b) === 0)),
  $ne: binary((a, b) => bool(compareArguments(a, b) !== 0)),
  $gt: binary((a, b) => bool(compareArguments(a, b) > 0)),
  $gte: binary((a, b) => bool(compareArguments(a, b) >= 0)),
  $lt: binary((a, b) => bool(compareArguments(a, b) < 0)),
  $lte: binary((a, b) => bool(compareArguments(a, b) <= 0)),
};

/** Between MinKey, which is 1, and everything else. */
const RANK_OF_MISSING = 1.5;

/** The order of values, in which a missing one comes before null and all others but MinKey. */
export function compareArguments(a: Argument, b: Argument): number {
  if (a !== undefined && b !== undefined) return compareValues(a, b);
  return Math.sign(rank(a) - rank(b));
}

function rank(value: Argument): number {
  return value === undefined ? RANK_OF_MISSING : rankOf(value.type);
}
