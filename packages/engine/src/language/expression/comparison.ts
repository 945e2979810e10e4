import { rankOf } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { compareValues } from '../../bson/compare.ts';
import { bool, int32, type Value } from '../../bson/value.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { type Argument, binary } from './operator.ts';

export const comparisonOperators: ExpressionTable = {
  $cmp: ordering((order) => int32(order)),
  $eq: ordering((order) => bool(order === 0)),
  $ne: ordering((order) => bool(order !== 0)),
  $gt: ordering((order) => bool(order > 0)),
  $gte: ordering((order) => bool(order >= 0)),
  $lt: ordering((order) => bool(order < 0)),
  $lte: ordering((order) => bool(order <= 0)),
};

function ordering(answer: (order: number) => Value): CompileExpression {
  const plain = binary((a, b) => answer(compareArguments(a, b)));
  return (operand, compiler) => {
    const { comparison } = compiler;
    if (comparison === byBytes) return plain(operand, compiler);
    return binary((a, b) => answer(compareArguments(a, b, comparison.compare)))(operand, compiler);
  };
}

/** Missing values sort after MinKey, whose rank is 1, and before everything else. */
const RANK_OF_MISSING = 1.5;

/** Compares values; a missing value sorts before everything but MinKey. */
export function compareArguments(
  a: Argument,
  b: Argument,
  compare: Comparison['compare'] = compareValues,
): number {
  if (a !== undefined && b !== undefined) return compare(a, b);
  return Math.sign(rank(a) - rank(b));
}

function rank(value: Argument): number {
  return value === undefined ? RANK_OF_MISSING : rankOf(value.type);
}
