import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { type Element, isNumber, type Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { checkMethod, percentile, sharesOf } from './accumulators/percentile.ts';
import { fieldsOfCommand } from './accumulators/percentile-fields.ts';
import { checking, listOf } from './entries.ts';
import type { Compiler, Expression, ExpressionTable } from './expression.ts';
import { arrayOf } from './field-path.ts';
import { type Argument, folded } from './operator.ts';

/** Percentiles of the numbers in an array. */
export const percentileOperators: ExpressionTable = {
  $median: (operand, compiler) => {
    const fields = fieldsOfCommand(operand, ['input', 'method']);
    return overNumbers(fields, compiler, (sorted) => percentile(sorted, 0.5));
  },
  $percentile: (operand, compiler) => {
    const fields = fieldsOfCommand(operand, ['input', 'p', 'method']);
    const shares = sharesOf(fields.get('p') as Value, compiler);
    return overNumbers(fields, compiler, (sorted) =>
      arrayOf(shares.map((share) => percentile(sorted, share))),
    );
  },
};

function overNumbers(
  fields: ReadonlyMap<string, Element>,
  compiler: Compiler,
  finish: (sorted: readonly number[]) => Value,
): Expression {
  checkMethod(fields);
  const input = compiler.compile(fields.get('input') as Value);
  const { statement } = compiler;
  return folded(compiler, [input], (scope) =>
    finish(numbersIn(input.evaluate(scope), statement).sort(checking(statement, (a, b) => a - b))),
  );
}

function numbersIn(value: Argument, statement: Statement): number[] {
  if (value === undefined) return [];
  const values = value.type === bsonTypes.array ? listOf(value, statement, 'a percentile') : [value];
  return values.filter(isNumber).map(toNumber);
}
