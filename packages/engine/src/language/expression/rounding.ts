import { bsonTypes } from '../../bson/bson-types.ts';
import { bigIntOf, decimalForArithmetic, isDecimal } from '../../bson/numbers/arithmetic.ts';
import { fitsInt64, integerValue } from '../../bson/numbers/convert.ts';
import { quantize, type RoundingMode } from '../../bson/numbers/decimal-arithmetic.ts';
import { exactDecimalOfDouble } from '../../bson/numbers/decimal-of-double.ts';
import {
  type Decimal,
  decimalFromInteger,
  decimalToDouble,
  decimalToInteger,
  encodeDecimal,
  round,
} from '../../bson/numbers/decimal128.ts';
import {
  decimal,
  double,
  doubleOf,
  int32,
  int64,
  isNumber,
  nullValue,
  type Value,
} from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isFractional, longArgument } from './coerce.ts';
import type { ExpressionTable } from './expression.ts';
import { type Argument, isNullish, over, typeOf } from './operator.ts';

/** Rounding to decimal places. A negative number of places rounds digits before the point. The type stays the same. */
export const roundingOperators: ExpressionTable = {
  $round: over([1, 2], (args, name) => rounded(args, name, 'halfEven')),
  $trunc: over([1, 2], (args, name) => rounded(args, name, 'down')),
};

function rounded(args: readonly Argument[], name: string, mode: RoundingMode): Value {
  const [value, place] = args;
  if (isNullish(value)) return nullValue;
  if (!isNumber(value)) {
    throw new ServerError(51081, `${name} only supports numeric types, not ${typeOf(value)}`);
  }
  return args.length === 1 ? roundTo(value, 0, mode) : atPlace(value, place, name, mode);
}

function atPlace(value: Value, place: Argument, name: string, mode: RoundingMode): Value {
  if (isNullish(place)) return nullValue;
  const places = Number(longArgument(place));
  if (isFractional(place)) {
    throw new ServerError(51082, `precision argument to ${name} must be a integral value`);
  }
  if (places < -20 || places > 100) {
    throw new ServerError(
      51083,
      `cannot apply ${name} with precision value ${places} value must be in [-20, 100]`,
    );
  }
  return roundTo(value, places, mode);
}

function roundTo(value: Value, places: number, mode: RoundingMode): Value {
  if (isDecimal(value)) {
    return decimal(encodeDecimal(roundDecimal(decimalForArithmetic(value), places, mode)));
  }
  if (value.type === bsonTypes.double) return double(roundDouble(doubleOf(value), places, mode));
  return places >= 0 ? value : roundWhole(value, places, mode);
}

/**
 * Rounds a decimal. If the result would need more than 34 digits, returns the value unchanged; but `$round` to a
 * negative number of places returns NaN.
 */
function roundDecimal(value: Decimal, places: number, mode: RoundingMode): Decimal {
  const rounded = quantize(value, -places, mode);
  return rounded.kind === 'nan' && (mode === 'down' || places > 0) ? value : rounded;
}

function roundDouble(value: number, places: number, mode: RoundingMode): number {
  if (!Number.isFinite(value)) return value;
  if (places === 0 && mode === 'down') return Math.trunc(value);
  const exact: Decimal = round(exactDecimalOfDouble(value));
  const cut = quantize(exact, -places, mode);
  // A result of more than 34 digits means that the double has no digits to round.
  return cut.kind === 'nan' ? value : decimalToDouble(cut);
}

function roundWhole(value: Value, places: number, mode: RoundingMode): Value {
  const cut = decimalToInteger(quantize(decimalFromInteger(bigIntOf(value)), -places, mode));
  if (!fitsInt64(cut)) {
    throw new ServerError(51080, 'the rounded number does not fit a long');
  }
  if (value.type === bsonTypes.long) return int64(cut);
  return cut === 0n ? int32(0) : integerValue(cut);
}
