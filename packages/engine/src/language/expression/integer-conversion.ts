import { bsonTypes } from '../../bson/bson-types.ts';
import { bigIntOf } from '../../bson/numbers/arithmetic.ts';
import { fitsInt32, fitsInt64, toNumber } from '../../bson/numbers/convert.ts';
import { decimalToInteger, decodeDecimal } from '../../bson/numbers/decimal128.ts';
import type { Value } from '../../bson/value.ts';
import { ConversionError } from './conversion-error.ts';

/** Truncates a number to an integer. Throws `ConversionError` for NaN and overflow. */
export function integerOf(value: Value, to: 'int' | 'long'): bigint {
  const whole = cut(value);
  const fits = whole !== undefined && (to === 'int' ? fitsInt32(whole) : fitsInt64(whole));
  if (!fits) {
    throw new ConversionError('Conversion would overflow target type in $convert with no onError value');
  }
  return whole;
}

function cut(value: Value): bigint | undefined {
  if (value.type === bsonTypes.double) {
    const number = toNumber(value);
    return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
  }
  if (value.type !== bsonTypes.decimal) return bigIntOf(value);
  const decimal = decodeDecimal(value.bytes, value.start);
  return decimal.kind === 'finite' ? decimalToInteger(decimal) : undefined;
}
