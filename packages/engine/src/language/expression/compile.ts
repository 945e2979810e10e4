import { bsonTypes } from '../../bson/bson-types.ts';
import { describeDocument } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { checkFieldName } from '../field-path.ts';
import { keepParts } from '../parts.ts';
import { ScopedCompiler } from './compiler.ts';
import { ArrayBuilder } from './entries.ts';
import { type CompileExpression, type Compiler, constant, type Expression } from './expression.ts';
import { compileFieldPath } from './field-path.ts';
import { folded, holding } from './operator.ts';
import { operatorTable } from './operators.ts';
import { checkedText } from './string.ts';

const operators = new Map<string, CompileExpression>(Object.entries(operatorTable));

export function isExpressionOperator(name: string): boolean {
  return operators.has(name);
}

/** Throws `InvalidPipelineOperator` for an unknown operator. */
export function compileExpression(value: Value, environment?: Environment): Expression {
  return new ScopedCompiler(compileValue, environment).compile(value);
}

/**
 * Compiles an expression that can also read the variables in `names`. `Scope.variables` contains their values
 * in the same order.
 */
export function compileBound(value: Value, names: readonly string[], environment?: Environment): Expression {
  return new ScopedCompiler(compileValue, environment).bind(names).compile(value);
}

function compileValue(value: Value, compiler: Compiler): Expression {
  compiler.statement.check();
  keepParts('an expression');
  switch (value.type) {
    case bsonTypes.string: {
      const text = textOf(value);
      return text.startsWith('$') ? compileFieldPath(text, compiler) : constant(checkedText(value));
    }
    case bsonTypes.object:
      return compileDocument(documentOf(value), compiler);
    case bsonTypes.array:
      return compileArray(value, compiler);
    default:
      return constant(value);
  }
}

function compileDocument(doc: RawDocument, compiler: Compiler): Expression {
  const first = doc.first();
  if (first?.name.startsWith('$')) {
    if (doc.after(first) !== undefined) {
      throw new ServerError(
        15983,
        `an object representing an expression must have exactly one field: ${describeDocument(doc)}`,
      );
    }
    const compile = operators.get(first.name);
    if (compile === undefined) {
      throw new ServerError('InvalidPipelineOperator', `Unrecognized expression '${first.name}'`);
    }
    return compile(first, compiler);
  }
  const fields: Array<readonly [string, Expression]> = [];
  for (const element of doc) {
    checkFieldName(element.name);
    fields.push([element.name, compiler.compile(element)]);
  }
  return documentExpression(fields, compiler);
}

/** Creates the expression of a document from those of its fields. The document omits fields without a value. */
function documentExpression(
  fields: ReadonlyArray<readonly [string, Expression]>,
  compiler: Compiler,
): Expression {
  const { statement } = compiler;
  const evaluate: Expression['evaluate'] = (scope) =>
    writeDocument((writer) => {
      for (const [name, expression] of fields) {
        const value = expression.evaluate(scope);
        if (value === undefined) continue;
        holding(value, scope, statement, 'a document');
        writer.field(name, value);
      }
    }).toValue();
  return folded(
    compiler,
    fields.map(([, expression]) => expression),
    evaluate,
  );
}

/**
 * True if an array contains no expressions and the names of its entries are their positions. The array is then its own
 * value, so its entries need not be compiled. Such an array may have a million entries, for example in `$in`.
 */
function isLiteral(array: Value): boolean {
  let position = 0;
  for (const entry of documentOf(array)) {
    if (entry.type === bsonTypes.object || entry.type === bsonTypes.array) return false;
    if (entry.type === bsonTypes.string) {
      if (entry.bytes[entry.start + 4] === DOLLAR) return false;
      checkedText(entry);
    }
    if (entry.name !== String(position++)) return false;
  }
  return true;
}

const DOLLAR = 0x24;

/** Compiles an array of expressions. Entries without a value become null. */
function compileArray(array: Value, compiler: Compiler): Expression {
  if (isLiteral(array)) return constant(array);
  const expressions: Expression[] = [];
  for (const entry of documentOf(array)) expressions.push(compiler.compile(entry));
  const evaluate: Expression['evaluate'] = (scope) => {
    const builder = new ArrayBuilder(compiler.statement, 'an array');
    for (const expression of expressions) builder.add(expression.evaluate(scope) ?? nullValue);
    return builder.finish();
  };
  return folded(compiler, expressions, evaluate);
}
