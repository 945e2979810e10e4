import { describe } from '../../bson/describe.ts';
import { toBigInt, toNumber } from '../../bson/numbers/convert.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** A whole number not below zero, of any type, as `$limit` and `$skip` take it. */
export function integerArgument(stage: string, code: number, spec: Value): number {
  const refuse = (expected: string) =>
    new ServerError(
      code,
      `invalid argument to ${stage} stage: Expected ${expected} in: ${stage}: ${describe(spec)}`,
    );
  if (!isNumber(spec)) throw refuse('a number');
  const number = toNumber(spec);
  const whole = toBigInt(spec);
  if (Number(whole) !== number) throw refuse('an integer');
  if (number < 0) throw refuse('a non-negative number');
  return number;
}
