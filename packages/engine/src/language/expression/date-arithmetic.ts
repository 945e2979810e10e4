import { bsonTypes } from '../../bson/bson-types.ts';
import { fitsInt64, INT64_MIN, toBigInt } from '../../bson/numbers/convert.ts';
import {
  date as dateValue,
  type Element,
  int64,
  isNumber,
  nullValue,
  textOf,
  type Value,
} from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { addUnits, type TimeUnit, timeUnit, truncate, unitsBetween, weekDay } from '../time/unit.ts';
import { isFractional } from './coerce.ts';
import { dateArgument, zoneArgument } from './date-arguments.ts';
import type { CompileExpression, Compiler, Expression, ExpressionTable, Scope } from './expression.ts';
import { type Argument, folded, isNullish, type NamedArguments, named, typeOf } from './operator.ts';

export const dateArithmeticOperators: ExpressionTable = {
  $dateAdd: moving(1n),
  $dateSubtract: moving(-1n),
  $dateDiff: compileDateDiff,
  $dateTrunc: compileDateTrunc,
};

const moveArguments = {
  notDocument: 5166400,
  unknown: 5166401,
  fields: { startDate: 5166402, unit: 5166402, amount: 5166402, timezone: 'optional' },
} as const satisfies NamedArguments;

function moving(sign: 1n | -1n): CompileExpression {
  return (operand, compiler) => {
    const { name } = operand;
    const { startDate, unit, amount, timezone } = named(operand, compiler, moveArguments);
    return folded(compiler, [startDate, unit, amount, timezone], (scope) => {
      const [start, by, units] = [startDate, amount, unit].map((part) => part?.evaluate(scope));
      if (isNullish(start) || isNullish(by) || isNullish(units)) return nullValue;
      const of = unitArgument(units, name);
      const count = amountArgument(by, name);
      const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
      if (zone === undefined) return nullValue;
      if (sign === -1n && count === INT64_MIN)
        throw new ServerError(6045000, `invalid ${name} 'amount' parameter value`);
      const ms = dateArgument(start, 5166403);
      return moved(name, of, count * sign, (signed) => addUnits(ms, of, signed, zone));
    });
  };
}

/**
 * The largest amount of each unit that can be added to a date. The server rejects larger amounts before it
 * evaluates the date.
 */
const most: Readonly<Record<TimeUnit, bigint>> = {
  year: 584_942_417n,
  quarter: 4n * 584_942_417n,
  month: 12n * 584_942_417n,
  week: 30_500_568_905n,
  day: 213_503_982_335n,
  hour: 5_124_095_576_030n,
  minute: 307_445_734_561_826n,
  second: 18_446_744_073_709_552n,
  millisecond: 18_446_744_073_709_551_616n,
};

function moved(name: string, unit: TimeUnit, amount: bigint, add: (amount: bigint) => bigint): Value {
  if (amount > most[unit] || amount < -most[unit]) {
    throw new ServerError(5976500, `invalid ${name} 'amount' parameter value: ${amount} ${unit}`);
  }
  const result = add(amount);
  if (!fitsInt64(result)) throw new ServerError(5166406, `${name} overflowed`);
  return dateValue(result);
}

function unitArgument(value: Value, name: string): TimeUnit {
  if (value.type !== bsonTypes.string) {
    throw new ServerError(5439013, `${name} requires 'unit' to be a string, but got ${typeOf(value)}`);
  }
  const unit = timeUnit(textOf(value));
  if (unit === undefined) throw new ServerError('FailedToParse', `unknown time unit value: ${textOf(value)}`);
  return unit;
}

function amountArgument(value: Value, name: string): bigint {
  if (!isNumber(value) || isFractional(value)) {
    throw new ServerError(5166405, `${name} expects integer amount of time units`);
  }
  return toBigInt(value);
}

const diffArguments = {
  notDocument: 5166301,
  unknown: 5166302,
  fields: {
    startDate: 5166303,
    endDate: 5166304,
    unit: 5166305,
    timezone: 'optional',
    startOfWeek: 'optional',
  },
} as const satisfies NamedArguments;

function compileDateDiff(operand: Element, compiler: Compiler): Expression {
  const { startDate, endDate, unit, timezone, startOfWeek } = named(operand, compiler, diffArguments);
  return folded(compiler, [startDate, endDate, unit, timezone, startOfWeek], (scope) => {
    const [start, end, units] = [startDate, endDate, unit].map((part) => part?.evaluate(scope));
    if (isNullish(start) || isNullish(end) || isNullish(units)) return nullValue;
    const of = unitArgument(units, '$dateDiff');
    const day = weekArgument(startOfWeek, of, scope, '$dateDiff');
    const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
    if (zone === undefined || day === undefined) return nullValue;
    const [from, to] = [dateArgument(start, 5166307), dateArgument(end, 5166307)];
    const difference = unitsBetween(from, to, of, zone, day);
    if (!fitsInt64(difference)) throw new ServerError(5166308, '$dateDiff overflowed');
    return int64(difference);
  });
}

/**
 * Returns the day on which weeks begin: Sunday by default, and `undefined` for null. The name of the day is
 * validated only if the unit is a week.
 */
function weekArgument(
  startOfWeek: Expression | undefined,
  unit: TimeUnit,
  scope: Scope,
  name: string,
): number | undefined {
  if (startOfWeek === undefined) return 1;
  const value: Argument = startOfWeek.evaluate(scope);
  if (isNullish(value)) return undefined;
  if (unit !== 'week') return 1;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(5439015, `${name} requires 'startOfWeek' to be a string, but got ${typeOf(value)}`);
  }
  const day = weekDay(textOf(value));
  if (day === 0) throw new ServerError(5439016, `${name} parameter 'startOfWeek' value cannot be recognized`);
  return day;
}

const truncArguments = {
  notDocument: 5439007,
  unknown: 5439008,
  fields: {
    date: 5439009,
    unit: 5439010,
    binSize: 'optional',
    timezone: 'optional',
    startOfWeek: 'optional',
  },
} as const satisfies NamedArguments;

function compileDateTrunc(operand: Element, compiler: Compiler): Expression {
  const { date, unit, binSize, timezone, startOfWeek } = named(operand, compiler, truncArguments);
  return folded(compiler, [date, unit, binSize, timezone, startOfWeek], (scope) => {
    const [value, units] = [date, unit].map((part) => part?.evaluate(scope));
    const bins = binSize?.evaluate(scope);
    if (isNullish(value) || isNullish(units) || (binSize !== undefined && isNullish(bins))) return nullValue;
    const of = unitArgument(units, '$dateTrunc');
    // For a constant date, the server validates `startOfWeek` only if the unit is a week.
    const weekly = of === 'week' || date?.constant === undefined;
    const day = weekly ? weekArgument(startOfWeek, of, scope, '$dateTrunc') : 1;
    const zone = zoneArgument(timezone !== undefined, timezone?.evaluate(scope));
    const size = bins === undefined ? 1n : binArgument(bins, of);
    if (zone === undefined || day === undefined) return nullValue;
    return dateValue(truncate(dateArgument(value, 5166307), of, size, zone, day));
  });
}

function binArgument(value: Value, unit: TimeUnit): bigint {
  if (!isNumber(value) || isFractional(value)) {
    throw new ServerError(5439017, "$dateTrunc requires 'binSize' to be a 64-bit integer");
  }
  const size = toBigInt(value);
  if (size <= 0n) throw new ServerError(5439018, "$dateTrunc requires 'binSize' to be greater than 0");
  if (size > most[unit] / 2n) throw new ServerError(overflowCode(unit), "$dateTrunc 'binSize' is too large");
  return size;
}

function overflowCode(unit: TimeUnit): number {
  return unit === 'year' || unit === 'quarter' || unit === 'month' ? 5439006 : 5439002;
}
