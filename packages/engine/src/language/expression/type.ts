import { bsonTypes, type TypeName, typeName } from '../../bson/bson-types.ts';
import { entriesOf } from '../../bson/raw.ts';
import { bool, isNumber, nullValue, string } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { BinaryOptions } from './binary-conversion.ts';
import { convert } from './conversions.ts';
import { compileConvert } from './convert.ts';
import type { CompileExpression, Expression, ExpressionTable } from './expression.ts';
import { folded, isNullish, unary } from './operator.ts';

const noOptions: BinaryOptions = { subtype: 0, format: undefined, littleEndian: true };

export const typeOperators: ExpressionTable = {
  $type: unary((value) => string(typeName(value?.type))),
  $isNumber: unary((value) => bool(value !== undefined && isNumber(value))),
  $convert: compileConvert,
  $toBool: shorthand('bool'),
  $toDate: shorthand('date'),
  $toDecimal: shorthand('decimal'),
  $toDouble: shorthand('double'),
  $toInt: shorthand('int'),
  $toLong: shorthand('long'),
  $toObjectId: shorthand('objectId'),
  $toString: shorthand('string', { ...noOptions, format: 'auto' }),
  $toUUID: shorthand('binData', { subtype: 4, format: 'uuid', littleEndian: true }),
};

/** Compiles operators such as `$toInt`: `$convert` to a fixed type without `onError` and `onNull`. */
function shorthand(type: TypeName, options = noOptions): CompileExpression {
  return (operand, compiler) => {
    const args = operand.type === bsonTypes.array ? entriesOf(operand) : [operand];
    if (args.length !== 1) {
      throw new ServerError(50723, `${operand.name} requires a single argument, got ${args.length}`);
    }
    const [input] = args.map(compiler.compile) as [Expression];
    return folded(compiler, [input], (scope) => {
      const value = input.evaluate(scope);
      return isNullish(value) ? nullValue : convert(value, type, options);
    });
  };
}
