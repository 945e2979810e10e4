import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { readInt32 } from '../../bson/bytes.ts';
import { describe } from '../../bson/describe.ts';
import { compareNumbers } from '../../bson/numbers/compare.ts';
import {
  fitsInt32,
  fitsInt64,
  INT64_MIN,
  toBigInt,
  toInteger,
  toNumber,
} from '../../bson/numbers/convert.ts';
import { int64, int64Of, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { dateText } from '../time/format.ts';
import { isNullish } from './operator.ts';

/**
 * Converts a number to int64. Throws 16004 for another type and 31109 for a double beyond int64. A decimal that is NaN
 * or beyond int64 becomes the least int64, as in the server.
 */
export function longArgument(value: Value): bigint {
  if (!isNumber(value)) {
    throw new ServerError(16004, `can't convert from BSON type ${typeName(value.type)} to long`);
  }
  if (value.type === bsonTypes.int || value.type === bsonTypes.long) return toBigInt(value);
  const number = toInteger(value);
  if (value.type === bsonTypes.decimal && !(Math.abs(number) < 2 ** 63)) return INT64_MIN;
  if (!Number.isFinite(number) || !fitsInt64(BigInt(number))) {
    throw new ServerError(31109, `Can't coerce out of range value ${describe(value)} to long`);
  }
  return BigInt(number);
}

/** True if a number is not an integer. */
export function isFractional(value: Value): boolean {
  return compareNumbers(value, int64(toBigInt(value))) !== 0;
}

/** Returns the number if it is an integer within int32. */
export function int32Argument(value: Value): number | undefined {
  if (!isNumber(value) || isFractional(value)) return undefined;
  const whole = toBigInt(value);
  return fitsInt32(whole) ? Number(whole) : undefined;
}

/**
 * Converts a value to text as the server does without an explicit conversion. Throws 16007 for types that it does not
 * convert.
 */
export function coercedText(value: Value | undefined): string {
  if (isNullish(value)) return '';
  switch (value.type) {
    case bsonTypes.string:
    case bsonTypes.symbol:
    case bsonTypes.javascript:
      return textOf(value);
    case bsonTypes.int:
    case bsonTypes.long:
    case bsonTypes.decimal:
      return describe(value);
    case bsonTypes.double:
      return streamedDouble(toNumber(value));
    case bsonTypes.date:
      return dateText(int64Of(value));
    case bsonTypes.timestamp:
      return timestampText(value);
    default:
      throw new ServerError(16007, `can't convert from BSON type ${typeName(value.type)} to String`);
  }
}

/** Prints a double as C++ streams do: six significant digits without trailing zeros. */
export function streamedDouble(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponent = '0'] = value.toExponential(5).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(value.toPrecision(6)));
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${Number(digits)}e${power < 0 ? '-' : '+'}${size}`;
}

/** Returns the shortest text that parses to the same double. Conversions print doubles in this form. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function timestampText({ bytes, start }: Value): string {
  const seconds = readInt32(bytes, start + 4) >>> 0;
  const at = new Date(seconds * 1000);
  const day = String(at.getUTCDate()).padStart(2, ' ');
  const time = at.toISOString().slice(11, 19);
  const ordinal = readInt32(bytes, start) >>> 0;
  return `${months[at.getUTCMonth()]} ${day} ${time}:${ordinal}`;
}
