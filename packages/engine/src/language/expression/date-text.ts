import { bsonTypes } from '../../bson/bson-types.ts';
import { date as dateValue, type Element, nullValue, string, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { formatDate, isoFormat } from '../time/format.ts';
import { ParseError, parseDate } from '../time/parse.ts';
import { compileReader, parseWithFormat } from '../time/parse-format.ts';
import type { Zone } from '../time/zone.ts';
import { ConversionError } from './conversion-error.ts';
import { dateArgument, withFormatCodes, zoneArgument } from './date-arguments.ts';
import type { Compiler, Expression, ExpressionTable, Scope } from './expression.ts';
import { type Argument, folded, isNullish, type NamedArguments, named, typeOf } from './operator.ts';

export const dateTextOperators: ExpressionTable = {
  $dateToString: compileDateToString,
  $dateFromString: compileDateFromString,
};

const toStringArguments = {
  notDocument: 18629,
  unknown: 18534,
  fields: { date: 18628, format: 'optional', timezone: 'optional', onNull: 'optional' },
} as const satisfies NamedArguments;

function compileDateToString(operand: Element, compiler: Compiler): Expression {
  const { date, format, timezone, onNull } = named(operand, compiler, toStringArguments);
  return folded(compiler, [date, format, timezone, onNull], (scope) => {
    const pattern = format && formatText(format.evaluate(scope), 18533);
    const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
    const value = date?.evaluate(scope);
    if (isNullish(value)) return onNull === undefined ? nullValue : onNull.evaluate(scope);
    const ms = dateArgument(value);
    if (zone === undefined || (format !== undefined && pattern === undefined)) return nullValue;
    const standard = zone.isUtc ? isoFormat : '%Y-%m-%dT%H:%M:%S.%L';
    return string(withFormatCodes(() => formatDate(ms, pattern ?? standard, zone)));
  });
}

function formatText(value: Argument, code: number): string | undefined {
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(code, `the format must evaluate to a string, found ${typeOf(value)}`);
  }
  return textOf(value);
}

const fromStringArguments = {
  notDocument: 40540,
  unknown: 40541,
  fields: {
    dateString: 40542,
    format: 'optional',
    timezone: 'optional',
    onNull: 'optional',
    onError: 'optional',
  },
} as const satisfies NamedArguments;

type FromString = Partial<Record<keyof typeof fromStringArguments.fields, Expression>>;

function compileDateFromString(operand: Element, compiler: Compiler): Expression {
  const args = named(operand, compiler, fromStringArguments);
  return folded(compiler, Object.values(args), (scope) => dateFromString(args, scope));
}

function dateFromString(
  { dateString, format, timezone, onNull, onError }: FromString,
  scope: Scope,
): Argument {
  const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
  const pattern = format && formatText(format.evaluate(scope), 40684);
  if (pattern !== undefined) withFormatCodes(() => compileReader(pattern));
  const value = dateString?.evaluate(scope);
  if (isNullish(value)) return onNull === undefined ? nullValue : onNull.evaluate(scope);
  if (zone === undefined || (format !== undefined && pattern === undefined)) return nullValue;
  try {
    return dateValue(parsedDate(value, pattern, timezone === undefined ? undefined : zone));
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof ConversionError)) throw error;
    if (onError !== undefined) return onError.evaluate(scope);
    throw new ConversionError(error.message);
  }
}

function parsedDate(
  value: Exclude<Argument, undefined>,
  pattern: string | undefined,
  zone: Zone | undefined,
): bigint {
  if (value.type !== bsonTypes.string) {
    throw new ConversionError(
      `$dateFromString requires that 'dateString' be a string, found: ${typeOf(value)}`,
    );
  }
  const text = textOf(value);
  return pattern === undefined ? parseDate(text, zone) : parseWithFormat(text, pattern, zone);
}
