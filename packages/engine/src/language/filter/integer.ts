import { describe } from '../../bson/describe.ts';
import { compareNumbers } from '../../bson/numbers/compare.ts';
import { INT64_MAX, INT64_MIN, toBigInt, toNumber } from '../../bson/numbers/convert.ts';
import { int64, isNumber, type Value } from '../../bson/value.ts';
import { type CodeName, ServerError } from '../../errors/server-error.ts';

/** A whole number of any type that an int64 can hold; `undefined` for every other number. */
export function exactInteger(value: Value): bigint | undefined {
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  const whole = toBigInt(value);
  return compareNumbers(int64(whole), value) === 0 ? whole : undefined;
}

/** A number cut to a whole one; `undefined` where that is none or out of the range of int64. */
export function cutInteger(value: Value): bigint | undefined {
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  const whole = toBigInt(value);
  // At both ends `toBigInt` stays in the range whatever was beyond.
  if (whole !== INT64_MAX && whole !== INT64_MIN) return whole;
  return exactInteger(value);
}

/** A whole number not below zero; `within` says in messages where it stands. */
export function nonNegative(value: Value, within: string, code: CodeName = 'FailedToParse'): bigint {
  const refuse = (expected: string) =>
    new ServerError(code, `Expected ${expected} in: ${within}: ${describe(value)}`);
  if (!isNumber(value)) throw refuse('a number');
  const whole = exactInteger(value);
  if (whole === undefined) throw refuse('an integer');
  if (whole < 0n) throw refuse('a non-negative number');
  return whole;
}
