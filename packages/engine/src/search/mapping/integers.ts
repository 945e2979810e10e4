import { toBigInt, toNumber } from '../../bson/numbers/convert.ts';
import type { Value } from '../../bson/value.ts';

/**
 * Segments store numbers as doubles (points). From 2^53 on, several integers have the same double. Fields that store
 * integers exactly therefore have an additional term for each integer from 2^53 to 2^63.
 */
const [EXACT, MOST] = [2 ** 53, 2 ** 63];

/** True if a number needs a term, because other integers may have the same point. */
export function isLargeInteger(number: number): boolean {
  const size = Math.abs(number);
  return size >= EXACT && size <= MOST;
}

/** Returns the term of a number. The order of terms is the order of numbers. */
export function integerTerm(value: Value): string {
  const number = toNumber(value);
  // These strings come before and after the terms of all integers of 64 bits.
  if (number < -MOST) return '';
  if (number > MOST) return 'g';
  return (toBigInt(value) + 2n ** 63n).toString(16).padStart(16, '0');
}
