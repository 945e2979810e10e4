import { bsonTypes } from '../../bson/bson-types.ts';
import { findNul, readText } from '../../bson/bytes.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { falseValue, int32, nullValue, string, textOf, trueValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Found } from '../patterns/bounded-regexp.ts';
import { compilePattern, type Pattern } from '../patterns/pattern.ts';
import { PatternError } from '../patterns/pattern-error.ts';
import { ArrayBuilder } from './entries.ts';
import type { CompileExpression, Expression, ExpressionTable, Scope } from './expression.ts';
import { arrayOf } from './field-path.ts';
import {
  type Argument,
  checkConstants,
  folded,
  isNullish,
  type NamedArguments,
  named,
  typeOf,
} from './operator.ts';
import { lengthInCodePoints } from './string.ts';

export const regexOperators: ExpressionTable = {
  $regexMatch: searching(falseValue, (text, { regexp }, statement) =>
    regexp.test(text, statement) ? trueValue : falseValue,
  ),
  $regexFind: searching(nullValue, (text, pattern, statement) => {
    const match = pattern.regexp.exec(text, statement);
    return match === undefined ? nullValue : matchValue(match, pattern, codePointsTo(text, 0, match.index));
  }),
  $regexFindAll: searching(arrayOf([]), (text, pattern, statement) => {
    const found = new ArrayBuilder(statement, '$regexFindAll');
    let points = 0;
    let from = 0;
    for (const match of pattern.regexp.all(text, statement)) {
      // The server does not search at the end of a text, so an empty match there does not count.
      if (match.index === text.length && text !== '') break;
      points += codePointsTo(text, from, match.index);
      from = match.index;
      found.add(matchValue(match, pattern, points));
    }
    return found.finish();
  }),
};

const regexArguments = {
  notDocument: 51103,
  unknown: 31024,
  fields: { input: 31022, regex: 31023, options: 'optional' },
} as const satisfies NamedArguments;

/** Compiles a search in a text; `none` is the result if the text or the pattern is null. */
function searching(
  none: Value,
  search: (text: string, pattern: Pattern, statement: Statement) => Value,
): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { input, regex, options } = named(operand, compiler, regexArguments);
    checkConstants(compiler, [regex, options], ([pattern, flags]) => patternArgument(pattern, flags, name));
    return folded(compiler, [input, regex, options], (scope) => {
      const pattern = patternArgument(regex?.evaluate(scope), options?.evaluate(scope), name);
      const text = textArgument(input, scope, name);
      return text === undefined || pattern === undefined ? none : search(text, pattern, compiler.statement);
    });
  };
}

function textArgument(input: Expression | undefined, scope: Scope, name: string): string | undefined {
  const value = input?.evaluate(scope);
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(51104, `${name} needs 'input' to be of type string`);
  }
  return textOf(value);
}

function patternArgument(regex: Argument, options: Argument, name: string): Pattern | undefined {
  if (!isNullish(options) && options.type !== bsonTypes.string) {
    throw new ServerError(51106, `${name} needs 'options' to be of type string`);
  }
  const given = isNullish(options) ? undefined : textOf(options);
  if (given?.includes('\0'))
    throw new ServerError(51110, `${name}: regular expression options cannot contain an embedded null byte`);
  if (isNullish(regex)) return undefined;
  const [source, own] = regexParts(regex, name);
  if (given !== undefined && own !== '') {
    throw new ServerError(
      51107,
      `${name}: found regex options specified in both 'regex' and 'options' fields`,
    );
  }
  if (source.includes('\0'))
    throw new ServerError(51109, `${name}: regular expression cannot contain an embedded null byte`);
  const flags = given ?? own;
  checkFlags(flags, name);
  return patternOf(source, flags, name);
}

function checkFlags(flags: string, name: string): void {
  const wrong = /[^imsxu]/.exec(flags)?.[0];
  if (wrong !== undefined) throw new ServerError(51108, `${name} invalid flag in regex options: ${wrong}`);
}

function regexParts(regex: Value, name: string): readonly [string, string] {
  if (regex.type === bsonTypes.string) return [textOf(regex), ''];
  if (regex.type !== bsonTypes.regex) {
    throw new ServerError(51105, `${name} needs 'regex' to be of type string or regex, not ${typeOf(regex)}`);
  }
  const end = findNul(regex.bytes, regex.start);
  return [readText(regex.bytes, regex.start, end), readText(regex.bytes, end + 1, regex.end - 1)];
}

/** Throws 51111 for an invalid pattern. */
function patternOf(source: string, flags: string, name: string): Pattern {
  try {
    return compilePattern(source, flags);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ServerError(51111, `Invalid Regex in ${name}: ${error.message}`);
  }
}

/** Returns the number of code points between two positions of a text. */
function codePointsTo(text: string, from: number, to: number): number {
  return lengthInCodePoints(text.slice(from, to));
}

function matchValue({ texts }: Found, { groups }: Pattern, points: number): Value {
  const captures = groups.map((group) => texts[group]);
  return writeDocument((writer) => {
    writer.field('match', string(texts[0] as string));
    writer.field('idx', int32(points));
    writer.field(
      'captures',
      arrayOf(captures.map((text) => (text === undefined ? nullValue : string(text)))),
    );
  }).toValue();
}
