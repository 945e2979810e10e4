import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileSort } from '../sort.ts';
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

/**
 * Compiles `sortBy`: a direction for whole entries, or fields of documents. Entries that are not documents count as
 * empty documents.
 */
function order(spec: Element, compiler: Compiler): Comparison['compare'] {
  if (spec.type === bsonTypes.object) {
    if (documentOf(spec).isEmpty)
      throw new ServerError(2942505, 'The $sortArray sort pattern must not be empty');
    return byFields(documentOf(spec), compiler);
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

/** Compares entries by fields. Unlike a sort of documents, it compares arrays as a whole. */
function byFields(spec: RawDocument, compiler: Compiler): Comparison['compare'] {
  checkPattern(spec, compiler);
  const parts = [...spec].map((part) => ({ path: part.name.split('.'), direction: toNumber(part) }));
  return (a, b) => {
    for (const { path, direction } of parts) {
      const order = compiler.comparison.compare(valueAt(a, path), valueAt(b, path));
      if (order !== 0) return direction * order;
    }
    return 0;
  };
}

/** Validates the sort pattern. Unlike in a sort of documents, field names may begin with `$`. */
function checkPattern(spec: RawDocument, compiler: Compiler): void {
  const plain = writeDocument((writer) => {
    for (const part of spec) writer.field(part.name.replace(/^\$+/, '_'), part);
  });
  if ([...spec].some((part) => !isNumber(part)))
    throw new ServerError(2942505, 'The $sortArray sort pattern must have 1 or -1 for each field');
  try {
    compileSort(plain, compiler);
  } catch (error) {
    if (error instanceof ServerError) throw new ServerError(2942505, error.message);
    throw error;
  }
}

/** Returns the value at a path, or null if the path does not exist. */
function valueAt(value: Value, path: readonly string[]): Value {
  let found = value;
  for (const name of path) {
    const field = found.type === bsonTypes.object ? documentOf(found).get(name) : undefined;
    if (field === undefined) return nullValue;
    found = field;
  }
  return found;
}
