import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, int64, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isTrue } from './boolean.ts';
import { int32Argument } from './coerce.ts';
import { ArrayBuilder } from './entries.ts';
import { bound, type Compiler, type Expression, type ExpressionTable, type Scope } from './expression.ts';
import {
  type Argument,
  fieldsOf,
  holding,
  isNullish,
  type NamedArguments,
  releasing,
  typeOf,
} from './operator.ts';
import { checkVariableBound } from './variable-name.ts';

/** Operators that evaluate an expression for each array entry. */
export const iterationOperators: ExpressionTable = {
  $map: compileMap,
  $filter: compileFilterOperator,
  $reduce: compileReduce,
};

const mapArguments = {
  notDocument: 16878,
  unknown: 16879,
  fields: { input: 16880, as: 'optional', in: 16882, arrayIndexAs: 'optional' },
} as const satisfies NamedArguments;

/** Returns the value of `input` as an array, or `undefined` if the value is null. */
function arrayInput(value: Argument, name: string, code: number): RawDocument | undefined {
  if (isNullish(value)) return undefined;
  if (value.type === bsonTypes.array) return documentOf(value);
  throw new ServerError(code, `input to ${name} must be an array not ${typeOf(value)}`);
}

/** Returns the name of the variable for the current entry. */
function variableName(element: Element | undefined, name: string): string {
  if (element === undefined) return 'this';
  const text = element.type === bsonTypes.string ? textOf(element) : undefined;
  if (text === undefined) throw new ServerError('FailedToParse', `${name}: 'as' must be a string`);
  checkVariableBound(text);
  return text;
}

/** Returns the names of the variables for the current entry and its index. */
function entryVariables(fields: ReadonlyMap<string, Element>, name: string): string[] {
  const names = [variableName(fields.get('as'), name)];
  const index = fields.get('arrayIndexAs');
  names.push(index === undefined ? 'IDX' : variableName(index, name));
  return names;
}

function compileMap(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, mapArguments);
  const input = compiler.compile(fields.get('input') as Element);
  const each = compiler.bind(entryVariables(fields, '$map')).compile(fields.get('in') as Element);
  const { statement } = compiler;
  return releasing(statement, (scope) => {
    const value = holding(input.evaluate(scope), scope, statement, '$map');
    const values = arrayInput(value, '$map', 16883);
    if (values === undefined) return nullValue;
    const results = new ArrayBuilder(statement, '$map');
    forEach(values, scope, compiler, (inner) => {
      results.add(each.evaluate(inner) ?? nullValue);
      return true;
    });
    return results.finish();
  });
}

/** Calls `visit` for each entry until it returns false. All calls share one scope, which `visit` must not keep. */
function forEach(
  values: RawDocument,
  scope: Scope,
  compiler: Compiler,
  visit: (scope: Scope, entry: Value) => boolean,
): void {
  const inner = bound(scope, compiler, [undefined, undefined]);
  const variables = inner.variables as Argument[];
  const { statement } = compiler;
  let i = 0;
  for (const value of values) {
    variables[compiler.size] = value;
    variables[compiler.size + 1] = int64(BigInt(i++));
    statement.check();
    if (!visit(inner, value)) return;
  }
}

const filterArguments = {
  notDocument: 28646,
  unknown: 28647,
  fields: { input: 28648, as: 'optional', cond: 28650, limit: 'optional', arrayIndexAs: 'optional' },
} as const satisfies NamedArguments;

function compileFilterOperator(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, filterArguments);
  const input = compiler.compile(fields.get('input') as Element);
  const condition = compiler.bind(entryVariables(fields, '$filter')).compile(fields.get('cond') as Element);
  const limitSpec = fields.get('limit');
  const limit = limitSpec && compiler.compile(limitSpec);
  const { statement } = compiler;
  return releasing(statement, (scope) => {
    const value = holding(input.evaluate(scope), scope, statement, '$filter');
    const values = arrayInput(value, '$filter', 28651);
    if (values === undefined) return nullValue;
    const most = limit === undefined ? Number.POSITIVE_INFINITY : limitOf(limit.evaluate(scope));
    const results = new ArrayBuilder(statement, '$filter');
    forEach(values, scope, compiler, (inner, entry) => {
      if (isTrue(condition.evaluate(inner))) results.add(entry);
      return results.length < most;
    });
    return results.finish();
  });
}

function limitOf(value: Argument): number {
  if (isNullish(value)) return Number.POSITIVE_INFINITY;
  const limit = int32Argument(value);
  if (limit === undefined) {
    throw new ServerError(327391, '$filter: limit must be represented as a 32-bit integral value');
  }
  if (limit < 1) throw new ServerError(327392, '$filter: limit must be greater than 0');
  return limit;
}

const reduceArguments = {
  notDocument: 40075,
  unknown: 40076,
  fields: { input: 40077, initialValue: 40078, in: 40079 },
} as const satisfies NamedArguments;

function compileReduce(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, reduceArguments);
  const input = compiler.compile(fields.get('input') as Element);
  const initial = compiler.compile(fields.get('initialValue') as Element);
  const each = compiler.bind(['value', 'this']).compile(fields.get('in') as Element);
  const { statement } = compiler;
  return releasing(statement, (scope) => {
    const array = holding(input.evaluate(scope), scope, statement, '$reduce');
    const values = arrayInput(array, '$reduce', 40080);
    if (values === undefined) return nullValue;
    let result = initial.evaluate(scope);
    const inner = bound(scope, compiler, [undefined, undefined]);
    const variables = inner.variables as Argument[];
    const { held } = statement;
    for (const value of values) {
      statement.check();
      variables[compiler.size] = holding(result, scope, statement, '$reduce');
      variables[compiler.size + 1] = value;
      result = each.evaluate(inner);
      statement.held = held;
    }
    return result;
  });
}
