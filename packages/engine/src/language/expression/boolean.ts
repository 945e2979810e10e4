import { bsonTypes } from '../../bson/bson-types.ts';
import { truthOfNumber } from '../../bson/numbers/convert.ts';
import { bool, boolOf, falseValue, isNumber, trueValue } from '../../bson/value.ts';
import { type CompileExpression, constant, type ExpressionTable } from './expression.ts';
import { type Argument, any, argumentsOf, folded, isNullish, unary } from './operator.ts';

export const booleanOperators: ExpressionTable = {
  $and: until(false),
  $or: until(true),
  $not: unary((value) => bool(!isTrue(value))),
};

/** Returns the truth value of expressions: false for null, missing, false and zero, true for everything else. */
export function isTrue(value: Argument): boolean {
  if (isNullish(value)) return false;
  if (value.type === bsonTypes.bool) return boolOf(value);
  return !isNumber(value) || truthOfNumber(value);
}

/**
 * Compiles `$and` or `$or`: evaluates arguments until the truth value of one equals `deciding`. The result is then
 * `deciding`.
 */
function until(deciding: boolean): CompileExpression {
  const [decided, undecided] = deciding ? [trueValue, falseValue] : [falseValue, trueValue];
  return (operand, compiler) => {
    const args = argumentsOf(operand, any).map(compiler.compile);
    // If any argument is a constant that decides the result, no argument is evaluated.
    if (args.some(({ constant: value }) => value !== undefined && isTrue(value) === deciding)) {
      return constant(decided);
    }
    return folded(compiler, args, (scope) =>
      args.some((arg) => isTrue(arg.evaluate(scope)) === deciding) ? decided : undecided,
    );
  };
}
