import { bsonTypes } from '../bson-types.ts';
import { decimal, double, doubleOf, int32Of, int64, type Value } from '../value.ts';
import { bigIntOf } from './arithmetic.ts';
import { fitsInt64, integerValue } from './convert.ts';
import { exactDecimalOfDouble } from './decimal-of-double.ts';
import {
  addDecimals,
  type Decimal,
  decimalFromInteger,
  decodeDecimal,
  encodeDecimal,
  round,
} from './decimal128.ts';

/**
 * A running sum of numbers of any types. Integers are added exactly and doubles with compensation, so that the order
 * affects the result as little as possible.
 */
export class NumberSum {
  #type: number = bsonTypes.int;
  #whole = 0n;
  /**
   * The sum of the int32 values, as a double for speed. It is added to `#whole` before it becomes too large for a
   * double to represent exactly.
   */
  #small = 0;
  #double = 0;
  #error = 0;
  #decimal: Decimal = decimalFromInteger(0n);
  /** The first decimal NaN that was added. The sum is then this NaN, so that it has the same sign. */
  #nan: Value | undefined;

  add(value: Value): void {
    switch (value.type) {
      case bsonTypes.int:
        this.#addSmall(int32Of(value));
        break;
      case bsonTypes.long:
        this.#widen(bsonTypes.long);
        this.#whole += bigIntOf(value);
        break;
      case bsonTypes.double:
        this.#widen(bsonTypes.double);
        this.#addDouble(doubleOf(value));
        break;
      case bsonTypes.decimal:
        this.#widen(bsonTypes.decimal);
        if (this.#nan === undefined && isNaNDecimal(value)) this.#nan = value.detached();
        this.#decimal = round(addDecimals(this.#decimal, decodeDecimal(value.bytes, value.start)));
    }
  }

  /** Returns the sum in the widest type that was added. It becomes a double if it overflows int64. */
  result(): Value {
    const whole = this.#whole + BigInt(this.#small);
    if (this.#nan !== undefined) return this.#nan;
    switch (this.#type) {
      case bsonTypes.int:
        return integerValue(whole);
      case bsonTypes.long:
        return fitsInt64(whole) ? int64(whole) : double(Number(whole));
      case bsonTypes.double:
        return double(this.#asDouble(whole));
      default:
        return decimal(encodeDecimal(this.#asDecimal(whole)));
    }
  }

  #widen(type: number): void {
    if (widths.indexOf(type) > widths.indexOf(this.#type)) this.#type = type;
  }

  #addSmall(value: number): void {
    this.#small += value;
    if (Math.abs(this.#small) > 2 ** 52) {
      this.#whole += BigInt(this.#small);
      this.#small = 0;
    }
  }

  #addDouble(value: number): void {
    const sum = this.#double + value;
    this.#error += roundedAway(this.#double, value, sum);
    this.#double = sum;
  }

  #asDouble(whole: bigint): number {
    const high = Number(whole);
    const low = Number(whole - BigInt(high));
    const sum = this.#double + high;
    const error = this.#error + low + roundedAway(this.#double, high, sum);
    // If one of the numbers is infinite, `error` is NaN.
    return Number.isFinite(sum) ? sum + error : sum;
  }

  #asDecimal(whole: bigint): Decimal {
    const doubles = Number.isFinite(this.#double)
      ? addDecimals(exactDecimalOfDouble(this.#double), exactDecimalOfDouble(this.#error))
      : exactDecimalOfDouble(this.#double);
    return addDecimals(this.#decimal, addDecimals(decimalFromInteger(whole), doubles));
  }
}

/** True for NaN: the five bits after the sign of the decimal are set. */
function isNaNDecimal({ bytes, start }: Value): boolean {
  return ((bytes[start + 15] as number) & 0x7c) === 0x7c;
}

/** Knuth's two-sum: returns the rounding error of `sum` as the sum of `a` and `b`. */
function roundedAway(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

const widths: readonly number[] = [bsonTypes.int, bsonTypes.long, bsonTypes.double, bsonTypes.decimal];
