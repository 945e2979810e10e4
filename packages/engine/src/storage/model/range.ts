import type { Direction } from '../../bson/keys.ts';
import { step } from '../../bson/turns.ts';
import type { Interval } from '../../language/filter/bounds.ts';

/** Keys from `low`, inclusive, to `high`, exclusive. An undefined `high` means no upper bound. */
export interface KeyRange {
  readonly low: Uint8Array;
  readonly high: Uint8Array | undefined;
}

const nothing = new Uint8Array(0);

export const everyKey: KeyRange = { low: nothing, high: undefined };

/**
 * Bounds for all keys that begin with a complete value: the value followed by 0x01 comes before these keys, and the
 * value followed by 0xff comes after them. In a key, either nothing follows the value, or the first byte of the next
 * part. This byte lies between 0x01 and 0xff. A string that continues with a NUL instead has 0xff at this point, so its
 * key is outside the bounds. In a descending part, all bytes are inverted.
 */

const BEFORE_REST = 0x01;
const BEHIND_REST = 0xff;

/** Returns the bytes of a complete value as they are stored in a part with this direction. */
export function partKey(key: Uint8Array, direction: Direction): Uint8Array {
  step();
  return direction === 1 ? key : invert(key);
}

/** Returns the range of all keys that begin with complete values. `direction` is that of the last value's part. */
export function keysWithin(prefix: Uint8Array, direction: Direction): KeyRange {
  step();
  if (prefix.length === 0) return everyKey;
  return { low: direction === 1 ? prefix : withByte(prefix, BEFORE_REST), high: endOf(prefix) };
}

/** Returns a bound after all keys that begin with complete values. */
export function endOf(prefix: Uint8Array): Uint8Array {
  return withByte(prefix, BEHIND_REST);
}

/** Returns the range of an interval, in a part with this direction. */
export function rangeOf({ low, high }: Interval, direction: Direction): KeyRange {
  step();
  if (direction === 1) {
    return {
      low: low.inclusive ? low.key : endOf(low.key),
      high: high.inclusive ? endOf(high.key) : high.key,
    };
  }
  const [from, to] = [invert(high.key), invert(low.key)];
  return {
    low: high.inclusive ? withByte(from, BEFORE_REST) : next(from),
    high: low.inclusive ? next(to) : withByte(to, BEFORE_REST),
  };
}

function invert(key: Uint8Array): Uint8Array {
  return key.map((byte) => ~byte);
}

/** Returns the least key that is greater than all keys that begin with these bytes. No key consists only of 0xff. */
function next(key: Uint8Array): Uint8Array {
  let length = key.length;
  while (length > 0 && key[length - 1] === 0xff) length--;
  const following = key.slice(0, length);
  if (length > 0) following[length - 1] = (following[length - 1] as number) + 1;
  return following;
}

function withByte(key: Uint8Array, byte: number): Uint8Array {
  return concatenate(key, Uint8Array.of(byte));
}

/** Prefixes a range, so that it applies to the part that follows the prefix. */
export function rangeAfter(prefix: Uint8Array, { low, high }: KeyRange): KeyRange {
  return {
    low: concatenate(prefix, low),
    high: high === undefined ? endOf(prefix) : concatenate(prefix, high),
  };
}

export function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  step();
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
