import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileSort, type Sort } from '../sort.ts';
import { arrayArgument } from './array.ts';
import { arrayFrom, checking } from './entries.ts';
import type { Compiler, Expression, ExpressionTable } from './expression.ts';
import { fieldsOf, folded, isNullish, type NamedArguments } from './operator.ts';

export const sortArrayOperators: ExpressionTable = { $sortArray: compileSortArray };

const sortArguments = {
  notDocument: 2942500,
  unknown: 2942501,
  fields: { input: 2942502, sortBy: 2942503 },
} as const satisfies NamedArguments;

function compileSortArray(operand: Element, compiler: Compiler): Expression {
  const fields = fieldsOf(operand, sortArguments);
  const compare = order(fields.get('sortBy') as Element, compiler);
  const input = compiler.compile(fields.get('input') as Element);
  const { statement } = compiler;
  return folded(compiler, [input], (scope) => {
    const value = input.evaluate(scope);
    if (isNullish(value)) return nullValue;
    const entries = arrayArgument(value, '$sortArray', 2942504, statement);
    return arrayFrom(entries.sort(checking(statement, compare)), statement, '$sortArray');
  });
}

/** Sorts by the whole entry, or by fields of documents; other entries count as empty documents. */
function order(spec: Element, compiler: Compiler): Comparison['compare'] {
  if (spec.type === bsonTypes.object) {
    if (documentOf(spec).isEmpty)
      throw new ServerError(2942505, 'The $sortArray sort pattern must not be empty');
    const sort = sortOf(documentOf(spec), compiler);
    return (a, b) => sort.compare(asDocument(a), asDocument(b));
  }
  if (!isNumber(spec)) {
    throw new ServerError(2942507, "The $sortArray field 'sortBy' must be either an object or a number");
  }
  const direction = toNumber(spec);
  if (direction !== 1 && direction !== -1) {
    throw new ServerError(2942506, "The $sortArray field 'sortBy' must be 1 or -1 where it is a number");
  }
  return (a, b) => direction * compiler.comparison.compare(a, b);
}

function sortOf(spec: RawDocument, compiler: Compiler): Sort {
  try {
    return compileSort(spec, compiler);
  } catch (error) {
    if (error instanceof ServerError) throw new ServerError(2942505, error.message);
    throw error;
  }
}

function asDocument(value: Value): RawDocument {
  return value.type === bsonTypes.object ? documentOf(value) : RawDocument.empty;
}
