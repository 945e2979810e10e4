import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { DocumentWriter } from '../document-writer.ts';
import { checkFieldPath } from '../field-path.ts';
import { type PathPart, partOf } from '../paths.ts';
import { entriesOf, findField } from '../raw.ts';
import { Value } from '../value.ts';
import type { Expression, Scope } from './expression.ts';

/** `$a.b` of the document, or `$$NAME` and `$$NAME.a.b` of a variable. */
export function compileFieldPath(text: string): Expression {
  if (text.startsWith('$$')) return compileVariable(text.slice(2));
  const path = text.slice(1);
  if (path === '') throw new ServerError(16872, "'$' by itself is not a valid FieldPath");
  return follow(rootOf, partsOf(path));
}

function rootOf({ root }: Scope): Value {
  return root.toValue();
}

const variables = new Map<string, (scope: Scope) => Value | undefined>([
  ['ROOT', rootOf],
  ['CURRENT', rootOf],
  ['REMOVE', () => undefined],
]);

function compileVariable(text: string): Expression {
  const dot = text.indexOf('.');
  const name = dot === -1 ? text : text.slice(0, dot);
  if (name === '') throw new ServerError(16867, 'empty variable names are not allowed');
  const read = variables.get(name);
  if (read === undefined) throw new ServerError(17276, `Use of undefined variable: ${name}`);
  return dot === -1 ? { evaluate: read } : follow(read, partsOf(text.slice(dot + 1)));
}

function partsOf(path: string): PathPart[] {
  checkFieldPath(path);
  return path.split('.').map(partOf);
}

function follow(from: (scope: Scope) => Value | undefined, parts: readonly PathPart[]): Expression {
  return {
    evaluate(scope) {
      const start = from(scope);
      return start?.type === bsonTypes.object ? valueIn(start, parts, 0) : undefined;
    },
  };
}

/**
 * Unlike in filters, numbers in a path name fields only, and an array on the way gives the array of what its
 * documents have there.
 */
function valueIn(doc: Value, parts: readonly PathPart[], depth: number): Value | undefined {
  const value = findField(doc.bytes, doc.start, (parts[depth] as PathPart).bytes);
  if (value === undefined || depth === parts.length - 1) return value;
  if (value.type === bsonTypes.object) return valueIn(value, parts, depth + 1);
  return value.type === bsonTypes.array ? valuesIn(value, parts, depth + 1) : undefined;
}

function valuesIn(array: Value, parts: readonly PathPart[], depth: number): Value {
  const found: Value[] = [];
  for (const entry of entriesOf(array)) {
    const value = entry.type === bsonTypes.object ? valueIn(entry, parts, depth) : undefined;
    if (value !== undefined) found.push(value);
  }
  return arrayOf(found);
}

export function arrayOf(values: readonly Value[]): Value {
  const writer = new DocumentWriter();
  const start = writer.begin();
  for (const [i, value] of values.entries()) writer.field(String(i), value);
  writer.end(start);
  const bytes = writer.finish();
  return new Value(bsonTypes.array, bytes, 0, bytes.length);
}
