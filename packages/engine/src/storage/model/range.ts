import type { Direction } from '../../bson/keys.ts';
import type { Interval } from '../../language/filter/bounds.ts';

/** Keys from `low` up to and without `high`; no `high`: to the end. */
export interface KeyRange {
  readonly low: Uint8Array;
  readonly high: Uint8Array | undefined;
}

const nothing = new Uint8Array(0);

export const everyKey: KeyRange = { low: nothing, high: undefined };

/*
 * What follows a whole value in a key is the beginning of another part, the end, or, where a text goes on with a NUL
 * that this one does not have, 0xff; in a descending part all that is inverted. So 0x01 and 0xff stand before and
 * behind whatever may follow a value, without what belongs to a longer text.
 */

const BEFORE_REST = 0x01;
const BEHIND_REST = 0xff;

/** The bytes of a whole value in a part of a key. */
export function partKey(key: Uint8Array, direction: Direction): Uint8Array {
  return direction === 1 ? key : invert(key);
}

/** All keys that begin with whole values, the last of them in a part of that direction. */
export function keysWithin(prefix: Uint8Array, direction: Direction): KeyRange {
  if (prefix.length === 0) return everyKey;
  return { low: direction === 1 ? prefix : withByte(prefix, BEFORE_REST), high: behind(prefix) };
}

/** What stands behind all keys that begin with whole values. */
export function behind(prefix: Uint8Array): Uint8Array {
  return withByte(prefix, BEHIND_REST);
}

/** The keys of an interval in a part of a key that runs in a direction. */
export function rangeOf({ low, high }: Interval, direction: Direction): KeyRange {
  if (direction === 1) {
    return {
      low: low.inclusive ? low.key : behind(low.key),
      high: high.inclusive ? behind(high.key) : high.key,
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

/** The least key that does not begin with these bytes and stands behind them. None consists of 0xff alone. */
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

/** A range of the part that follows a prefix. */
export function rangeAfter(prefix: Uint8Array, { low, high }: KeyRange): KeyRange {
  return {
    low: concatenate(prefix, low),
    high: high === undefined ? behind(prefix) : concatenate(prefix, high),
  };
}

export function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
