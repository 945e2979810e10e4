import { type CodeName, ServerError } from '../../errors/server-error.ts';
import { describe } from '../describe.ts';
import { int64, isNumber, type Value } from '../value.ts';
import { compareNumbers } from './compare.ts';
import { INT64_MAX, INT64_MIN, toBigInt, toNumber } from './convert.ts';

/** Returns the value of an integral number of any type that fits int64, or `undefined` for any other number. */
export function exactInteger(value: Value): bigint | undefined {
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  const whole = toBigInt(value);
  return compareNumbers(int64(whole), value) === 0 ? whole : undefined;
}

/** Truncates a number to an integer. Returns `undefined` if it is not finite or exceeds int64. */
export function cutInteger(value: Value): bigint | undefined {
  const number = toNumber(value);
  if (!Number.isFinite(number)) return undefined;
  const whole = toBigInt(value);
  // `toBigInt` clamps to int64. So a result at either limit may come from a number beyond the limit.
  if (whole !== INT64_MAX && whole !== INT64_MIN) return whole;
  return exactInteger(value);
}

/** Reads a non-negative integer. `within` names the operator in messages. */
export function nonNegative(value: Value, within: string, code: CodeName = 'FailedToParse'): bigint {
  const refuse = (expected: string) =>
    new ServerError(code, `Expected ${expected} in: ${within}: ${describe(value)}`);
  if (!isNumber(value)) throw refuse('a number');
  const whole = exactInteger(value);
  if (whole === undefined) throw refuse('an integer');
  if (whole < 0n) throw refuse('a non-negative number');
  return whole;
}
