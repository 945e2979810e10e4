import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { describeDocument } from '../describe.ts';
import { writeDocument } from '../document-writer.ts';
import { checkFieldName } from '../field-path.ts';
import { documentOf, entriesOf, type RawDocument } from '../raw.ts';
import { nullValue, textOf, type Value } from '../value.ts';
import { type CompileExpression, constant, type Expression } from './expression.ts';
import { arrayOf, compileFieldPath } from './field-path.ts';
import { literalOperators } from './literal.ts';

const operators = new Map<string, CompileExpression>(Object.entries(literalOperators));

export function isExpressionOperator(name: string): boolean {
  return operators.has(name);
}

/** Throws `InvalidPipelineOperator` for an operator that is not there. */
export function compileExpression(value: Value): Expression {
  switch (value.type) {
    case bsonTypes.string: {
      const text = textOf(value);
      return text.startsWith('$') ? compileFieldPath(text) : constant(value);
    }
    case bsonTypes.object:
      return compileDocument(documentOf(value));
    case bsonTypes.array:
      return compileArray(entriesOf(value));
    default:
      return constant(value);
  }
}

function compileDocument(doc: RawDocument): Expression {
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
    return compile(first, compileExpression);
  }
  return documentExpression(
    [...doc].map((element) => {
      checkFieldName(element.name);
      return [element.name, compileExpression(element)] as const;
    }),
  );
}

/** Fields whose values are missing are left out. */
function documentExpression(fields: ReadonlyArray<readonly [string, Expression]>): Expression {
  return {
    evaluate: (scope) =>
      writeDocument((writer) => {
        for (const [name, expression] of fields) {
          const value = expression.evaluate(scope);
          if (value !== undefined) writer.field(name, value);
        }
      }).toValue(),
  };
}

/** Entries that are missing become null. */
function compileArray(entries: readonly Value[]): Expression {
  const expressions = entries.map(compileExpression);
  return {
    evaluate: (scope) => arrayOf(expressions.map((expression) => expression.evaluate(scope) ?? nullValue)),
  };
}
