import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { bound, type Compiler, type Expression, type ExpressionTable } from './expression.ts';
import { fieldsOf, holding, releasing } from './operator.ts';
import { checkVariableBound } from './variable-name.ts';

export const variableOperators: ExpressionTable = { $let: compileLet };

const letArguments = {
  notDocument: 16874,
  unknown: 16875,
  fields: { vars: 16876, in: 16877 },
} as const;

/** Compiles `$let`. The expression of a variable cannot read the other variables of the same `$let`. */
function compileLet(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, letArguments);
  const vars = fields.get('vars') as Element;
  // The server accepts an array here and then rejects its indexes as variable names.
  if (vars.type !== bsonTypes.object && vars.type !== bsonTypes.array) {
    throw new ServerError(10065, 'invalid parameter: expected an object (vars)');
  }
  const names: string[] = [];
  const values: Expression[] = [];
  for (const element of documentOf(vars)) {
    checkVariableBound(element.name);
    names.push(element.name);
    values.push(compiler.compile(element));
  }
  const inner = compiler.bind(names).compile(fields.get('in') as Element);
  if (inner.constant !== undefined) return inner;
  const { statement } = compiler;
  return releasing(statement, (scope) => {
    const given = values.map((value) => holding(value.evaluate(scope), scope, statement, '$let'));
    return inner.evaluate(bound(scope, compiler, given));
  });
}
