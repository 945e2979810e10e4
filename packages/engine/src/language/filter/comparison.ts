import { bsonTypes, rankOf } from '../../bson/bson-types.ts';
import { byBytes, type Comparison, holdsText } from '../../bson/collation/comparison.ts';
import { compareDocuments, compareValues } from '../../bson/compare.ts';
import { isNaNValue } from '../../bson/numbers/compare.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import type { Path, Test } from '../paths.ts';
import { boundsOfComparison, boundsOfPoints } from './bounds.ts';
import { collatedPoints, collatedRange } from './collated-bounds.ts';
import type { Condition } from './filter.ts';
import { type FilterContext, leaf, not, type OperatorTable } from './operator.ts';

export const comparisonOperators: OperatorTable = {
  $eq: (operand, path, { environment }) => equality(operand, path, environment),
  $ne: (operand, path, { environment }) => {
    if (operand.type === bsonTypes.regex)
      throw new ServerError('BadValue', "Can't have regex as arg to $ne.");
    return not(equality(operand, path, environment));
  },
  $gt: (operand, path, context) => inequality('$gt', operand, path, context),
  $gte: (operand, path, context) => inequality('$gte', operand, path, context),
  $lt: (operand, path, context) => inequality('$lt', operand, path, context),
  $lte: (operand, path, context) => inequality('$lte', operand, path, context),
};

/** Returns the collation's comparison if the collation affects the operand. */
export function collating(
  operand: Value,
  { collate, compare }: Comparison,
): Comparison['compare'] | undefined {
  return collate !== undefined && holdsText(operand) ? compare : undefined;
}

export function equality(operand: Value, path: Path, environment: Environment): Condition {
  const { comparison = byBytes, statement } = environment;
  refuseUndefined(operand);
  const compare = collating(operand, comparison);
  if (compare !== undefined) {
    const test: Test = (value) => value !== undefined && compare(value, operand) === 0;
    return leaf(
      '$eq',
      path,
      test,
      { environment },
      {
        equals: operand,
        collated: collatedPoints([operand], comparison),
      },
    );
  }
  const facts = { bounds: boundsOfPoints([operand]), equals: operand };
  return leaf('$eq', path, equalTo(operand, statement), { environment }, facts);
}

/** Tests equality with the operand. An operand of null also matches a missing value. */
function equalTo(operand: Value, statement: Statement): Test {
  if (operand.type === bsonTypes.null) return (value) => value === undefined || value.type === bsonTypes.null;
  if (operand.type === bsonTypes.array || operand.type === bsonTypes.object)
    return identicalTo(operand, statement);
  return (value) => value !== undefined && compareValues(value, operand) === 0;
}

/** Tests equality with a document or array, which may have a million entries. The test can be interrupted. */
function identicalTo(operand: Value, statement: Statement): Test {
  const compare = (a: Value, b: Value): number => {
    statement.check();
    if (a.type !== b.type || (a.type !== bsonTypes.array && a.type !== bsonTypes.object))
      return compareValues(a, b);
    return compareDocuments(a.bytes, a.start, b.bytes, b.start, a.type === bsonTypes.object, compare);
  };
  return (value) => value?.type === operand.type && compare(value, operand) === 0;
}

const inequalities = {
  $gt: { holds: (order: number) => order > 0, orEqual: false, beyond: bsonTypes.minKey },
  $gte: { holds: (order: number) => order >= 0, orEqual: true, beyond: bsonTypes.minKey },
  $lt: { holds: (order: number) => order < 0, orEqual: false, beyond: bsonTypes.maxKey },
  $lte: { holds: (order: number) => order <= 0, orEqual: true, beyond: bsonTypes.maxKey },
} as const;

function inequality(
  operator: keyof typeof inequalities,
  operand: Value,
  path: Path,
  { environment }: FilterContext,
): Condition {
  const { comparison = byBytes } = environment;
  refuseUndefined(operand);
  if (operand.type === bsonTypes.regex) {
    throw new ServerError('BadValue', `Can't have RegEx as arg to predicate over field '${path.text}'.`);
  }
  const compare = collating(operand, comparison);
  if (compare !== undefined) {
    const { holds } = inequalities[operator];
    const rank = rankOf(operand.type);
    return leaf(
      operator,
      path,
      (value) => value !== undefined && rankOf(value.type) === rank && holds(compare(value, operand)),
      { environment },
      { collated: collatedRange(operator, operand, comparison) },
    );
  }
  const bounds = boundsOfComparison(operator, operand);
  return leaf(
    operator,
    path,
    ordered(operator, operand),
    { environment },
    bounds === undefined ? {} : { bounds },
  );
}

/** Tests the order of values of the operand's type. MinKey and MaxKey compare with every type. */
function ordered(operator: keyof typeof inequalities, operand: Value): Test {
  const { holds, orEqual, beyond } = inequalities[operator];
  if (isNumber(operand) && isNaNValue(operand)) {
    return (value) => orEqual && value !== undefined && compareValues(value, operand) === 0;
  }
  const rank = rankOf(operand.type);
  const others = operand.type === beyond;
  const missing = others || (orEqual && operand.type === bsonTypes.null);
  const numeric = isNumber(operand);
  return (value) => {
    if (value === undefined) return missing;
    if (rankOf(value.type) !== rank) return others;
    return holds(compareValues(value, operand)) && !(numeric && isNaNValue(value));
  };
}

function refuseUndefined(operand: Value): void {
  if (operand.type === bsonTypes.undefined) throw new ServerError('BadValue', 'cannot compare to undefined');
}
