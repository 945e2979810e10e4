import { bsonTypes } from '../../bson/bson-types.ts';
import { nullValue, string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { finder, TextUnits } from '../find-text.ts';
import { ArrayBuilder } from './entries.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { type Argument, binary, folded, isNullish, type NamedArguments, named, typeOf } from './operator.ts';
import { limited, MAX_BYTES } from './string.ts';

/** Operators that split a text or replace parts of it. */
export const replaceOperators: ExpressionTable = {
  $replaceOne: replacing(false),
  $replaceAll: replacing(true),
  $split: binary(split),
};

const replaceArguments = {
  notDocument: 51751,
  unknown: 51750,
  fields: { input: 51749, find: 51748, replacement: 51747 },
} as const satisfies NamedArguments;

function replacing(all: boolean): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const args = named(operand, compiler, replaceArguments);
    const { input, find, replacement } = args;
    return folded(compiler, [input, find, replacement], (scope) => {
      const [text, found, by] = [input, find, replacement].map((arg) => arg?.evaluate(scope));
      checkTypes(text, found, by, name);
      if (isNullish(text) || isNullish(found) || isNullish(by)) return nullValue;
      const spans = spansOf(textOf(text), textOf(found), all, compiler.statement);
      return limited(replaced(textOf(text), spans, textOf(by), compiler.statement));
    });
  };
}

function checkTypes(input: Argument, find: Argument, replacement: Argument, name: string): void {
  const refuse = (code: number, field: string, value: Argument) => {
    throw new ServerError(code, `${name} requires that '${field}' be a string, found: ${typeOf(value)}`);
  };
  if (!isTextOrNull(input)) refuse(10503904, 'input', input);
  if (!isTextOrNull(find)) refuse(10503901, 'find', find);
  if (!isTextOrNull(replacement)) refuse(10503902, 'replacement', replacement);
}

function isTextOrNull(value: Argument): boolean {
  return isNullish(value) || value.type === bsonTypes.string;
}

type Span = readonly [start: number, end: number];

/** Yields the non-overlapping occurrences of `token` in a text. */
function* spansOf(text: string, token: string, all: boolean, statement: Statement): Generator<Span> {
  const find = finder(new TextUnits(text), new TextUnits(token), statement);
  const step = Math.max(token.length, 1);
  for (let at = find(0); at >= 0 && at <= text.length; at = find(at + step)) {
    yield [at, at + token.length];
    if (!all || at + step > text.length) return;
  }
}

/**
 * Number of pieces after which they are joined. A single join at the end would keep millions of pieces in memory, and
 * joining each piece separately would take another 32 bytes per piece in V8.
 */
const JOINED = 4096;

/** Replaces spans of a text. Stops once the result exceeds the maximum size, which the caller rejects. */
function replaced(text: string, spans: Iterable<Span>, by: string, statement: Statement): string {
  let result = '';
  let pieces: string[] = [];
  let from = 0;
  const most = Math.min(JOINED, MAX_BYTES / Math.max(by.length, 1));
  for (const [start, end] of spans) {
    if (start > from) pieces.push(text.slice(from, start));
    pieces.push(by);
    from = end;
    if (pieces.length < most) continue;
    statement.check();
    result += pieces.join('');
    pieces = [];
    if (result.length > MAX_BYTES) return result;
  }
  return result + pieces.join('') + text.slice(from);
}

function split(value: Argument, separator: Argument, name: string, statement: Statement): Value {
  if (isNullish(value) || isNullish(separator)) return nullValue;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      40085,
      `${name} requires an expression that evaluates to a string as a first argument, found: ${typeOf(value)}`,
    );
  }
  if (separator.type !== bsonTypes.string) {
    throw new ServerError(
      10503900,
      `${name} requires an expression that evaluates to a string as a second argument, found: ${typeOf(separator)}`,
    );
  }
  if (textOf(separator) === '') throw new ServerError(40087, `${name} requires a non-empty separator`);
  const text = textOf(value);
  const pieces = new ArrayBuilder(statement, name);
  let from = 0;
  for (const [start, end] of spansOf(text, textOf(separator), true, statement)) {
    pieces.add(string(text.slice(from, start)));
    from = end;
  }
  pieces.add(string(text.slice(from)));
  return pieces.finish();
}
