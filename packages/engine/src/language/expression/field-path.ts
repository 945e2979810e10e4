import { bsonTypes } from '../../bson/bson-types.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { entriesOf, findField } from '../../bson/raw.ts';
import { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checkFieldPath } from '../field-path.ts';
import { type PathPart, partOf } from '../paths.ts';
import { type Compiler, type Expression, root } from './expression.ts';
import { checkVariableRead } from './variable-name.ts';

/** Compiles `$a.b` of the document, or `$$NAME` and `$$NAME.a.b` of a variable. */
export function compileFieldPath(text: string, compiler: Compiler): Expression {
  if (text.startsWith('$$')) return compileVariable(text.slice(2), compiler);
  const path = text.slice(1);
  if (path === '') throw new ServerError(16872, "'$' by itself is not a valid FieldPath");
  const parts = partsOf(path);
  return follow(compiler.variable('CURRENT', parts[0]?.name), parts);
}

function compileVariable(text: string, compiler: Compiler): Expression {
  const dot = text.indexOf('.');
  const name = dot === -1 ? text : text.slice(0, dot);
  checkVariableRead(name);
  const parts = dot === -1 ? [] : partsOf(text).slice(1);
  const read = compiler.variable(name, parts[0]?.name);
  return dot === -1 ? read : follow(read, parts);
}

function partsOf(path: string): PathPart[] {
  checkFieldPath(path);
  return path.split('.').map(partOf);
}

function follow(from: Expression, parts: readonly PathPart[]): Expression {
  // Most paths begin at the document. For these, no value is created for the document itself.
  if (from === root) return { evaluate: (scope) => valueIn(scope.root.bytes, scope.root.offset, parts, 0) };
  return {
    evaluate(scope) {
      const start = from.evaluate(scope);
      if (start?.type === bsonTypes.object) return valueIn(start.bytes, start.start, parts, 0);
      return start?.type === bsonTypes.array ? valuesIn(start, parts, 0) : undefined;
    },
  };
}

/**
 * Returns the value at a path. Unlike in filters, a number in a path is always a field name. An array on the path
 * yields an array of the values in its documents.
 */
function valueIn(
  bytes: Uint8Array,
  offset: number,
  parts: readonly PathPart[],
  depth: number,
): Value | undefined {
  const value = findField(bytes, offset, (parts[depth] as PathPart).bytes);
  if (value === undefined || depth === parts.length - 1) return value;
  if (value.type === bsonTypes.object) return valueIn(bytes, value.start, parts, depth + 1);
  return value.type === bsonTypes.array ? valuesIn(value, parts, depth + 1) : undefined;
}

function valuesIn(array: Value, parts: readonly PathPart[], depth: number): Value {
  const found: Value[] = [];
  for (const entry of entriesOf(array)) {
    const value =
      entry.type === bsonTypes.object ? valueIn(entry.bytes, entry.start, parts, depth) : undefined;
    if (value !== undefined) found.push(value);
  }
  return arrayOf(found);
}

export function arrayOf(values: readonly Value[]): Value {
  const writer = new DocumentWriter();
  const start = writer.begin();
  for (const [i, value] of values.entries()) writer.entry(i, value);
  writer.end(start);
  const bytes = writer.finish();
  return new Value(bsonTypes.array, bytes, 0, bytes.length);
}
