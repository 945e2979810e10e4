import { bsonTypes } from '../../bson/bson-types.ts';
import { describeDocument } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { checkFieldName } from '../field-path.ts';
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
  switch (value.type) {
    case bsonTypes.string: {
      const text = textOf(value);
      return text.startsWith('$') ? compileFieldPath(text, compiler) : constant(checkedText(value));
    }
    case bsonTypes.object:
      return compileDocument(documentOf(value), compiler);
    case bsonTypes.array:
      return compileArray(entriesOf(value), compiler);
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
  const fields = [...doc].map((element) => {
    checkFieldName(element.name);
    return [element.name, compiler.compile(element)] as const;
  });
  return documentExpression(fields, compiler);
}

/** Omits fields whose values are missing. */
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

/** Missing entries become null. */
function compileArray(entries: readonly Value[], compiler: Compiler): Expression {
  const expressions = entries.map(compiler.compile);
  const evaluate: Expression['evaluate'] = (scope) => {
    const builder = new ArrayBuilder(compiler.statement, 'an array');
    for (const expression of expressions) builder.add(expression.evaluate(scope) ?? nullValue);
    return builder.finish();
  };
  return folded(compiler, expressions, evaluate);
}
