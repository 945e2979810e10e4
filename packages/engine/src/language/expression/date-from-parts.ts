import { fitsInt64 } from '../../bson/numbers/convert.ts';
import { date, type Element, nullValue } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { daysOf, daysOfIsoWeek, MS_PER_DAY } from '../time/calendar.ts';
import { fromLocal } from '../time/zone.ts';
import { int32Argument } from './coerce.ts';
import { zoneArgument } from './date-arguments.ts';
import type { Compiler, Expression, ExpressionTable, Scope } from './expression.ts';
import { folded, isNullish, type NamedArguments, named } from './operator.ts';

export const dateFromPartsOperators: ExpressionTable = { $dateFromParts: compileDateFromParts };

const partNames = {
  year: 'optional',
  month: 'optional',
  day: 'optional',
  isoWeekYear: 'optional',
  isoWeek: 'optional',
  isoDayOfWeek: 'optional',
  hour: 'optional',
  minute: 'optional',
  second: 'optional',
  millisecond: 'optional',
  timezone: 'optional',
} as const;

const fromPartsArguments = {
  notDocument: 40519,
  unknown: 40518,
  fields: partNames,
} as const satisfies NamedArguments;

type Parts = Partial<Record<keyof typeof partNames, Expression>>;

function compileDateFromParts(operand: Element, compiler: Compiler): Expression {
  const parts = named(operand, compiler, fromPartsArguments);
  checkKind(parts);
  return folded(compiler, Object.values(parts), (scope) => {
    const zone = zoneArgument(parts.timezone !== undefined, parts.timezone?.evaluate(scope));
    const days = parts.year === undefined ? isoDays(parts, scope) : calendarDays(parts, scope);
    const inDay = timeOfDay(parts, scope);
    if (zone === undefined || days === undefined || inDay === undefined) return nullValue;
    const ms = fromLocal(BigInt(days) * BigInt(MS_PER_DAY) + BigInt(inDay), zone);
    if (!fitsInt64(ms)) throw new ServerError('Overflow', '$dateFromParts overflowed');
    return date(ms);
  });
}

function checkKind({ year, month, day, isoWeekYear, isoWeek, isoDayOfWeek }: Parts): void {
  if (year === undefined && isoWeekYear === undefined) {
    throw new ServerError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
  }
  if (year !== undefined && (isoWeekYear ?? isoWeek ?? isoDayOfWeek) !== undefined) {
    throw new ServerError(40489, '$dateFromParts does not allow mixing natural dates with ISO dates');
  }
  if (isoWeekYear !== undefined && (month ?? day) !== undefined) {
    throw new ServerError(40525, '$dateFromParts does not allow mixing ISO dates with natural dates');
  }
}

/** Returns an integer, or `undefined` for null. */
function partArgument(
  expression: Expression | undefined,
  name: string,
  otherwise: number,
  scope: Scope,
): number | undefined {
  if (expression === undefined) return otherwise;
  const value = expression.evaluate(scope);
  if (isNullish(value)) return undefined;
  const whole = int32Argument(value);
  if (whole === undefined) throw new ServerError(40515, `'${name}' must evaluate to an integer`);
  return whole;
}

function yearArgument(expression: Expression | undefined, name: string, scope: Scope): number | undefined {
  const year = partArgument(expression, name, 1970, scope);
  if (year !== undefined && (year < 1 || year > 9999)) {
    throw new ServerError(
      40523,
      `'${name}' must evaluate to an integer in the range 1 to 9999, found ${year}`,
    );
  }
  return year;
}

/**
 * Returns a part that may be out of its usual range, such as month 13, but must fit 16 bits. The excess carries over to
 * the next larger part.
 */
function boundedPart(
  expression: Expression | undefined,
  name: string,
  otherwise: number,
  scope: Scope,
): number | undefined {
  const part = partArgument(expression, name, otherwise, scope);
  if (part !== undefined && (part < -32_768 || part > 32_767)) {
    throw new ServerError(
      31034,
      `'${name}' must evaluate to a value in the range [-32768, 32767]; value ${part} is not`,
    );
  }
  return part;
}

function calendarDays(parts: Parts, scope: Scope): number | undefined {
  const year = yearArgument(parts.year, 'year', scope);
  const month = boundedPart(parts.month, 'month', 1, scope);
  const day = boundedPart(parts.day, 'day', 1, scope);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return daysOf(year, month, day);
}

function isoDays(parts: Parts, scope: Scope): number | undefined {
  const year = yearArgument(parts.isoWeekYear, 'isoWeekYear', scope);
  const week = boundedPart(parts.isoWeek, 'isoWeek', 1, scope);
  const day = boundedPart(parts.isoDayOfWeek, 'isoDayOfWeek', 1, scope);
  if (year === undefined || week === undefined || day === undefined) return undefined;
  return daysOfIsoWeek(year, week, day);
}

function timeOfDay(parts: Parts, scope: Scope): number | undefined {
  const hour = boundedPart(parts.hour, 'hour', 0, scope);
  const minute = boundedPart(parts.minute, 'minute', 0, scope);
  const second = partArgument(parts.second, 'second', 0, scope);
  const millisecond = partArgument(parts.millisecond, 'millisecond', 0, scope);
  if (hour === undefined || minute === undefined || second === undefined || millisecond === undefined)
    return undefined;
  return ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
}
