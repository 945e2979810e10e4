import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { boolOf, type Element, int32, int64, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type DateParts, dayOfWeek, dayOfYear, isoWeekOf, partsOf, weekOfYear } from '../time/calendar.ts';
import { toLocal } from '../time/zone.ts';
import { dateArgument, zoneArgument } from './date-arguments.ts';
import type { CompileExpression, Compiler, Expression, ExpressionTable } from './expression.ts';
import { type Argument, folded, isNullish, type NamedArguments, named, typeOf } from './operator.ts';

/** Parts of dates in local time. */
export const datePartOperators: ExpressionTable = {
  $year: part(({ year }) => int32(year)),
  $month: part(({ month }) => int32(month)),
  $dayOfMonth: part(({ day }) => int32(day)),
  $hour: part(({ hour }) => int32(hour)),
  $minute: part(({ minute }) => int32(minute)),
  $second: part(({ second }) => int32(second)),
  $millisecond: part(({ millisecond }) => int32(millisecond)),
  $dayOfYear: part((parts) => int32(dayOfYear(parts))),
  $dayOfWeek: part(({ days }) => int32(dayOfWeek(days))),
  $week: part((parts) => int32(weekOfYear(parts))),
  $isoDayOfWeek: part(({ days }) => int32(isoWeekOf(days).day)),
  $isoWeek: part(({ days }) => int32(isoWeekOf(days).week)),
  $isoWeekYear: part(({ days }) => int64(BigInt(isoWeekOf(days).year))),
  $dateToParts: compileDateToParts,
};

const partArguments = {
  notDocument: 40535,
  unknown: 40535,
  fields: { date: 40539, timezone: 'optional' },
} as const satisfies NamedArguments;

/** Compiles an operator whose operand is `{date, timezone}` or only the date. */
function part(read: (parts: DateParts) => Value): CompileExpression {
  return (operand, compiler) => {
    const [date, timezone] = dateAndZone(operand, compiler);
    return folded(compiler, [date, timezone], (scope) => {
      const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
      const value = date.evaluate(scope);
      if (isNullish(value)) return nullValue;
      const ms = dateArgument(value);
      return zone === undefined ? nullValue : read(partsOf(toLocal(ms, zone)));
    });
  };
}

function dateAndZone(operand: Element, compiler: Compiler): [Expression, Expression?] {
  if (operand.type === bsonTypes.array) {
    const [only, ...others] = entriesOf(operand);
    if (only === undefined || others.length > 0) {
      throw new ServerError(
        40536,
        `${operand.name} accepts exactly one argument if given an array, but was given ${entriesOf(operand).length}`,
      );
    }
    return [compiler.compile(only)];
  }
  const isExpression = operand.type !== bsonTypes.object || documentOf(operand).first()?.name.startsWith('$');
  if (isExpression) return [compiler.compile(operand)];
  const { date, timezone } = named(operand, compiler, partArguments);
  return timezone === undefined ? [date as Expression] : [date as Expression, timezone];
}

const toPartsArguments = {
  notDocument: 40524,
  unknown: 40520,
  fields: { date: 40522, timezone: 'optional', iso8601: 'optional' },
} as const satisfies NamedArguments;

function compileDateToParts(operand: Element, compiler: Compiler): Expression {
  const { date, timezone, iso8601 } = named(operand, compiler, toPartsArguments);
  return folded(compiler, [date, timezone, iso8601], (scope) => {
    const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
    const iso = iso8601 === undefined ? false : isoArgument(iso8601.evaluate(scope));
    const value = date?.evaluate(scope);
    if (isNullish(value) || zone === undefined || iso === undefined) return nullValue;
    const parts = partsOf(toLocal(dateArgument(value), zone));
    return writtenParts(parts, iso);
  });
}

function isoArgument(value: Argument): boolean | undefined {
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.bool) {
    throw new ServerError(40521, `iso8601 must evaluate to a bool, found ${typeOf(value)}`);
  }
  return boolOf(value);
}

function writtenParts(parts: DateParts, iso: boolean): Value {
  const week = isoWeekOf(parts.days);
  const { year, month, day, hour, minute, second, millisecond } = parts;
  const dayFields = iso
    ? { isoWeekYear: week.year, isoWeek: week.week, isoDayOfWeek: week.day }
    : { year, month, day };
  return writeDocument((writer) => {
    for (const [name, value] of Object.entries({ ...dayFields, hour, minute, second, millisecond })) {
      writer.field(name, int32(value));
    }
  }).toValue();
}
