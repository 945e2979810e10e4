import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { boolOf, type Element, nullValue, string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { arrayArgument } from './array.ts';
import { ArrayBuilder, arrayFrom } from './entries.ts';
import type { Compiler, Expression, ExpressionTable } from './expression.ts';
import {
  type Argument,
  fieldsOf,
  folded,
  holding,
  isNullish,
  type NamedArguments,
  typeOf,
  unary,
} from './operator.ts';

/** Operators that convert between arrays and documents. */
export const arrayMakingOperators: ExpressionTable = {
  $zip: compileZip,
  $arrayToObject: unary(arrayToObject),
  $objectToArray: unary((value, name, statement) => {
    if (isNullish(value)) return nullValue;
    if (value.type !== bsonTypes.object) {
      throw new ServerError(40390, `${name} requires a document input, found: ${typeOf(value)}`);
    }
    const pairs = new ArrayBuilder(statement, name);
    for (const element of documentOf(value)) pairs.add(pairOf(element));
    return pairs.finish();
  }),
};

function pairOf(element: Element): Value {
  return writeDocument((writer) => {
    writer.field('k', string(element.name));
    writer.field('v', element);
  }).toValue();
}

const zipArguments = {
  notDocument: 34460,
  unknown: 34464,
  fields: { inputs: 34465, useLongestLength: 'optional', defaults: 'optional' },
} as const satisfies NamedArguments;

function compileZip(operand: Element, compiler: Compiler): Expression {
  const { compile, statement } = compiler;
  const fields = fieldsOf(operand, zipArguments);
  const inputs = listed(fields.get('inputs') as Element, compile, 34461, 'inputs');
  const defaultsSpec = fields.get('defaults');
  const defaults = defaultsSpec && listed(defaultsSpec, compile, 34462, 'defaults');
  const longest = useLongest(fields.get('useLongestLength'));
  if (inputs.length === 0) throw new ServerError(34465, '$zip requires at least one input array');
  if (defaults !== undefined && !longest) {
    throw new ServerError(34466, 'cannot specify defaults unless useLongestLength is true');
  }
  if (defaults !== undefined && defaults.length !== inputs.length) {
    throw new ServerError(34467, 'defaults and inputs must have the same length');
  }
  return folded(compiler, [...inputs, ...(defaults ?? [])], (scope) => {
    const arrays: Value[][] = [];
    for (const input of inputs) {
      const value = holding(input.evaluate(scope), scope, statement, '$zip');
      if (isNullish(value)) return nullValue;
      arrays.push(arrayArgument(value, '$zip', 34468, statement));
    }
    const padding = defaults?.map((expression) => expression.evaluate(scope)) ?? [];
    return zipped(arrays, padding, longest, statement);
  });
}

function listed(spec: Element, compile: Compiler['compile'], code: number, field: string): Expression[] {
  if (spec.type !== bsonTypes.array) {
    throw new ServerError(code, `${field} must be an array of expressions, found ${typeOf(spec)}`);
  }
  return entriesOf(spec).map(compile);
}

function useLongest(spec: Element | undefined): boolean {
  if (spec === undefined) return false;
  if (spec.type !== bsonTypes.bool) {
    throw new ServerError(34463, `useLongestLength must be a bool, found ${typeOf(spec)}`);
  }
  return boolOf(spec);
}

function zipped(
  arrays: readonly Value[][],
  padding: readonly Argument[],
  longest: boolean,
  statement: Statement,
): Value {
  const wanted = longest ? Math.max : Math.min;
  // `Math.max(...lengths)` would overflow the stack with hundreds of thousands of arrays.
  const length = arrays.reduce((found, array) => wanted(found, array.length), arrays[0]?.length ?? 0);
  const rows = new ArrayBuilder(statement, '$zip');
  for (let i = 0; i < length; i++) {
    const row = arrays.map((array, at) => array[i] ?? padding[at] ?? nullValue);
    rows.add(arrayFrom(row, statement, '$zip'));
  }
  return rows.finish();
}

/**
 * Builds a document from `[key, value]` pairs or `{k, v}` documents. If a name repeats, the field has its
 * last value at the position of its first occurrence.
 */
function arrayToObject(value: Argument, name: string, statement: Statement): Value {
  if (isNullish(value)) return nullValue;
  const entries = arrayArgument(value, name, 40386, statement);
  const pairs = entries[0]?.type === bsonTypes.array;
  const fields = new Map<string, Value>();
  for (const entry of entries) {
    statement.check();
    const [key, content] = pairs ? fromPair(entry, name) : fromDocument(entry, name);
    fields.set(key, content);
  }
  return writeDocument((writer) => {
    for (const [key, content] of fields) writer.field(key, content);
  }).toValue();
}

function fromPair(entry: Value, name: string): [string, Value] {
  if (entry.type !== bsonTypes.array) {
    throw new ServerError(40396, `${name} requires a consistent input format, found ${typeOf(entry)}`);
  }
  const [key, value, ...more] = entriesOf(entry);
  if (key === undefined || value === undefined || more.length > 0) {
    throw new ServerError(40397, `${name} requires an array of size 2 arrays`);
  }
  return [keyOf(key, name, 40395, 4940400), value];
}

function fromDocument(entry: Value, name: string): [string, Value] {
  if (entry.type === bsonTypes.array) {
    throw new ServerError(40391, `${name} requires a consistent input format, found array`);
  }
  if (entry.type !== bsonTypes.object) {
    throw new ServerError(40398, `Unrecognised input type format for ${name}: ${typeOf(entry)}`);
  }
  const doc = documentOf(entry);
  if ([...doc].length !== 2) {
    throw new ServerError(40392, `${name} requires an object keys of 'k' and 'v'`);
  }
  const [key, value] = [doc.get('k'), doc.get('v')];
  if (key === undefined || value === undefined) {
    throw new ServerError(40393, `${name} requires an object with keys 'k' and 'v'`);
  }
  return [keyOf(key, name, 40394, 4940401), value];
}

function keyOf(key: Value, name: string, notString: number, withNul: number): string {
  if (key.type !== bsonTypes.string) {
    throw new ServerError(notString, `${name} requires keys of type string, found ${typeOf(key)}`);
  }
  const text = textOf(key);
  if (text.includes('\0')) throw new ServerError(withNul, 'Key field cannot contain an embedded null byte');
  return text;
}
