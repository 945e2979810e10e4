import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import { mapParts } from '../parts.ts';
import type { Condition } from './filter.ts';
import {
  always,
  type CompileTopLevel,
  type FilterContext,
  type TopLevelOperator,
  type TopLevelTable,
} from './operator.ts';

/** Describes an operator that is allowed in every kind of filter. */
function anywhere(compile: CompileTopLevel, asksDocuments = true): TopLevelOperator {
  return { compile, asksDocuments, inElemMatch: true, inProjection: 'allowed', inValidator: true };
}

export const logicalOperators: TopLevelTable = {
  $and: anywhere((operand, context) =>
    and(childrenOf('$and', operand, context), context.environment.statement),
  ),
  $or: anywhere((operand, context) => {
    const children = childrenOf('$or', operand, context);
    const [only, ...others] = children;
    if (only !== undefined && others.length === 0) return only;
    return { operator: '$or', children, matches: anyOf(children, context.environment.statement) };
  }),
  $nor: anywhere((operand, context) => {
    const children = childrenOf('$nor', operand, context);
    const any = anyOf(children, context.environment.statement);
    return { operator: '$nor', children, matches: (doc) => !any(doc) };
  }),
  $comment: anywhere(() => and([])),
  $alwaysTrue: anywhere((operand) => constantly('$alwaysTrue', operand, true), false),
  $alwaysFalse: anywhere((operand) => constantly('$alwaysFalse', operand, false), false),
};

export function and(children: readonly Condition[], statement: Statement = unwatched): Condition {
  const [first, second, ...others] = children;
  if (first !== undefined && second === undefined) return first;
  // Fast path: most conjunctions have two conditions.
  if (second !== undefined && others.length === 0) {
    return { operator: '$and', children, matches: (doc) => first!.matches(doc) && second.matches(doc) };
  }
  const matches: Condition['matches'] = (doc) => {
    for (const child of children) {
      statement.check();
      if (!child.matches(doc)) return false;
    }
    return true;
  };
  return { operator: '$and', children, matches };
}

/** Tests whether any condition matches. Checks for interruption, because there may be thousands of conditions. */
function anyOf(children: readonly Condition[], statement: Statement): Condition['matches'] {
  return (doc) => {
    for (const child of children) {
      statement.check();
      if (child.matches(doc)) return true;
    }
    return false;
  };
}

function childrenOf(operator: string, operand: Value, { compile, environment }: FilterContext): Condition[] {
  if (operand.type !== bsonTypes.array) throw new ServerError('BadValue', `${operator} must be an array`);
  const branches = documentOf(operand);
  if (branches.isEmpty) throw new ServerError('BadValue', `${operator} must be a nonempty array`);
  for (const branch of branches) {
    if (branch.type === bsonTypes.object) continue;
    throw new ServerError(
      'BadValue',
      `${operator} argument's entries must be objects. Got ${typeName(branch.type)} instead`,
    );
  }
  return mapParts(branches, 'a filter', (branch) => {
    environment.statement.check();
    return compile(documentOf(branch));
  });
}

function constantly(operator: string, operand: Value, matches: boolean): Condition {
  if (isNumber(operand) && toNumber(operand) === 1) return always(operator, matches);
  throw new ServerError('FailedToParse', `${operator} must be an integer value of 1`);
}
