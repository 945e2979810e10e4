import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Condition } from './filter.ts';
import { always, type FilterContext } from './operator.ts';

/** Operators that stand where a field could: `{$op: operand}`. */
export type CompileTopLevel = (operand: Value, context: FilterContext) => Condition;

export const topLevelOperators: Readonly<Record<string, CompileTopLevel>> = {
  $and: (operand, { compile }) => and(branches('$and', operand).map(compile)),
  $or: (operand, { compile }) => {
    const children = branches('$or', operand).map(compile);
    const [only, ...others] = children;
    if (only !== undefined && others.length === 0) return only;
    return { operator: '$or', children, matches: (doc) => children.some((child) => child.matches(doc)) };
  },
  $nor: (operand, { compile }) => {
    const children = branches('$nor', operand).map(compile);
    return { operator: '$nor', children, matches: (doc) => !children.some((child) => child.matches(doc)) };
  },
  $comment: () => and([]),
  $alwaysTrue: (operand) => constantly('$alwaysTrue', operand, true),
  $alwaysFalse: (operand) => constantly('$alwaysFalse', operand, false),
};

export function and(children: readonly Condition[]): Condition {
  const [first, second, ...others] = children;
  if (first !== undefined && second === undefined) return first;
  // Two conditions are by far the most frequent case.
  if (second !== undefined && others.length === 0) {
    return { operator: '$and', children, matches: (doc) => first!.matches(doc) && second.matches(doc) };
  }
  return { operator: '$and', children, matches: (doc) => children.every((child) => child.matches(doc)) };
}

function branches(operator: string, operand: Value): RawDocument[] {
  if (operand.type !== bsonTypes.array) throw new ServerError('BadValue', `${operator} must be an array`);
  const entries = entriesOf(operand);
  if (entries.length === 0) throw new ServerError('BadValue', `${operator} must be a nonempty array`);
  return entries.map((entry) => {
    if (entry.type === bsonTypes.object) return documentOf(entry);
    throw new ServerError(
      'BadValue',
      `${operator} argument's entries must be objects. Got ${typeName(entry.type)} instead`,
    );
  });
}

function constantly(operator: string, operand: Value, matches: boolean): Condition {
  if (isNumber(operand) && toNumber(operand) === 1) return always(operator, matches);
  throw new ServerError('FailedToParse', `${operator} must be an integer value of 1`);
}
