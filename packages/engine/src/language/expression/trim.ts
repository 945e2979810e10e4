import { bsonTypes } from '../../bson/bson-types.ts';
import { nullValue, string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { type Argument, folded, isNullish, type NamedArguments, named, typeOf } from './operator.ts';

export const trimOperators: ExpressionTable = {
  $trim: trimming(true, true),
  $ltrim: trimming(true, false),
  $rtrim: trimming(false, true),
};

const trimArguments = {
  notDocument: 50696,
  unknown: 50694,
  fields: { input: 50695, chars: 'optional' },
} as const satisfies NamedArguments;

/** Trimmed by default: NUL and the white space that the server recognizes. */
const whiteSpace: ReadonlySet<string> = new Set([
  '\0',
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  ' ',
  '\u00a0',
  '\u1680',
  ...Array.from({ length: 11 }, (_, i) => String.fromCodePoint(0x2000 + i)),
]);

function trimming(left: boolean, right: boolean): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { input, chars } = named(operand, compiler, trimArguments);
    return folded([input, chars], (scope) => {
      const text = textArgument(input?.evaluate(scope), name, 50699);
      if (text === undefined) return nullValue;
      const characters = chars && textArgument(chars.evaluate(scope), name, 50700);
      if (chars !== undefined && characters === undefined) return nullValue;
      return trimmed(text, characters === undefined ? whiteSpace : new Set(characters), left, right);
    });
  };
}

function textArgument(value: Argument, name: string, code: number): string | undefined {
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(code, `${name} requires its arguments to be strings, got ${typeOf(value)}`);
  }
  return textOf(value);
}

function trimmed(text: string, chars: ReadonlySet<string>, left: boolean, right: boolean): Value {
  const points = Array.from(text);
  let start = 0;
  let end = points.length;
  while (left && start < end && chars.has(points[start] as string)) start++;
  while (right && end > start && chars.has(points[end - 1] as string)) end--;
  return string(points.slice(start, end).join(''));
}
