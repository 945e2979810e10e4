import { fitsInt64, INT64_MIN, toBigInt, toNumber } from '../../bson/numbers/convert.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType, notNull } from './field-builders.ts';

/** A limit that must be a 64-bit integer, unlike other numeric arguments. */
export const wholeLimit = notNull(
  byType({ number: readLimit }, () => new ServerError('BadValue', 'limit value is not a valid number')),
);

function readLimit(value: Value): number {
  const number = toNumber(value);
  const whole = toBigInt(value);
  if (Number(whole) !== number || !fitsInt64(whole)) {
    throw new ServerError(
      'FailedToParse',
      `limit value for count cannot be expressed as an int64: ${number}`,
    );
  }
  if (whole === INT64_MIN) throw new ServerError('BadValue', 'limit value for count cannot be min long');
  // A negative limit counts as positive, because drivers once used it to request a single batch.
  return Math.abs(number);
}
