import { describe } from '../../bson/describe.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** Reads a non-negative integer, in any numeric type, for `$limit` and `$skip`. */
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
