import { type Decimal, finite, power } from './decimal128.ts';

/** The significant bits of a binary128 number (IEEE 754). */
const BITS = 113;
/**
 * Minimum number of decimal digits of the result. The result is rounded again later, so 34 digits would not suffice.
 */
const DIGITS = 80;

/**
 * Rounds a finite decimal to a binary128 number, half to even, and returns this number as a decimal. The error of the
 * conversion back is far below the 34th digit. The range of the exponent is not limited.
 */
export function toBinary128({ negative, coefficient, exponent }: Decimal): Decimal {
  if (coefficient === 0n) return finite(negative, coefficient, exponent);
  const [above, below] =
    exponent >= 0 ? [coefficient * power(exponent), 1n] : [coefficient, power(-exponent)];
  let shift = BITS - (bitsOf(above) - bitsOf(below));
  // The quotient of two numbers has as many bits as the difference of their numbers of bits, or one more.
  if (bitsOf(quotient(above, below, shift)) > BITS) shift--;
  const mantissa = quotient(above, below, shift);
  if (shift <= 0) return finite(negative, mantissa << BigInt(-shift), 0);
  // The decimal fraction 2^-shift has at most `places - DIGITS` zeros before its first significant digit.
  const places = DIGITS + Math.ceil(shift * Math.log10(2));
  return finite(negative, (mantissa * power(places)) >> BigInt(shift), -places);
}

/** Returns above / below * 2^shift, rounded half to even. */
function quotient(above: bigint, below: bigint, shift: number): bigint {
  const [left, right] = shift >= 0 ? [above << BigInt(shift), below] : [above, below << BigInt(-shift)];
  const whole = left / right;
  const twice = (left - whole * right) * 2n;
  const up = twice > right || (twice === right && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}

function bitsOf(value: bigint): number {
  const hex = value.toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] as string, 16)));
}
