import { describe } from '../../bson/describe.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { exactInteger } from '../filter/integer.ts';

/** A whole number not below zero, of any type, as `$limit` and `$skip` take it. */
export function integerArgument(stage: string, code: number, spec: Value): number {
  const refuse = (expected: string) =>
    new ServerError(
      code,
      `invalid argument to ${stage} stage: Expected ${expected} in: ${stage}: ${describe(spec)}`,
    );
  if (!isNumber(spec)) throw refuse('a number');
  const whole = exactInteger(spec);
  if (whole === undefined) throw refuse('an integer');
  if (whole < 0n) throw refuse('a non-negative number');
  return Number(whole);
}
