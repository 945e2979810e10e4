import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Condition } from './filter.ts';
import { always, type CompileTopLevel, type TopLevelOperator, type TopLevelTable } from './operator.ts';

/** An operator that is allowed wherever conditions are. */
function anywhere(compile: CompileTopLevel, asksDocuments = true): TopLevelOperator {
  return { compile, asksDocuments, inElemMatch: true, inProjection: 'allowed', inValidator: true };
}

export const logicalOperators: TopLevelTable = {
  $and: anywhere((operand, { compile }) => and(branches('$and', operand).map(compile))),
  $or: anywhere((operand, { compile }) => {
    const children = branches('$or', operand).map(compile);
    const [only, ...others] = children;
    if (only !== undefined && others.length === 0) return only;
    return { operator: '$or', children, matches: (doc) => children.some((child) => child.matches(doc)) };
  }),
  $nor: anywhere((operand, { compile }) => {
    const children = branches('$nor', operand).map(compile);
    return { operator: '$nor', children, matches: (doc) => !children.some((child) => child.matches(doc)) };
  }),
  $comment: anywhere(() => and([])),
  $alwaysTrue: anywhere((operand) => constantly('$alwaysTrue', operand, true), false),
  $alwaysFalse: anywhere((operand) => constantly('$alwaysFalse', operand, false), false),
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
