import { bsonTypes } from '../../bson/bson-types.ts';
import { step } from '../../bson/turns.ts';
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

/** The default characters to trim: NUL and the white space that the server recognizes. */
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
    return folded(compiler, [input, chars], (scope) => {
      const text = textArgument(input?.evaluate(scope), name, 50699);
      if (text === undefined) return nullValue;
      const characters = chars && textArgument(chars.evaluate(scope), name, 50700);
      if (chars !== undefined && characters === undefined) return nullValue;
      return trimmed(text, characters === undefined ? whiteSpace : pointsOf(characters), left, right);
    });
  };
}

/** Returns the code points of a text. Counts them as steps, because there may be millions. */
function pointsOf(text: string): ReadonlySet<string> {
  const points = new Set<string>();
  for (const point of text) {
    step();
    points.add(point);
  }
  return points;
}

function textArgument(value: Argument, name: string, code: number): string | undefined {
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(code, `${name} requires its arguments to be strings, got ${typeOf(value)}`);
  }
  return textOf(value);
}

function trimmed(text: string, chars: ReadonlySet<string>, left: boolean, right: boolean): Value {
  let start = 0;
  let end = text.length;
  for (let point = pointAt(text, 0); left && start < end && chars.has(point); point = pointAt(text, start)) {
    step();
    start += point.length;
  }
  for (
    let point = pointBefore(text, end);
    right && end > start && chars.has(point);
    point = pointBefore(text, end)
  ) {
    step();
    end -= point.length;
  }
  return string(text.slice(start, end));
}

/** Returns the code point that begins at an index. */
function pointAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Returns the code point that ends before an index. */
function pointBefore(text: string, end: number): string {
  const isPair = /[\udc00-\udfff]/.test(text.charAt(end - 1)) && (text.codePointAt(end - 2) ?? 0) > 0xffff;
  return isPair ? text.slice(end - 2, end) : text.charAt(end - 1);
}
