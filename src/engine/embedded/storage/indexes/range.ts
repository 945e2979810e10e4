import type { Interval } from '../../language/filter/bounds.ts';
import type { Direction } from '../../language/keys.ts';

/** Keys from `low` up to and without `high`; no `high`: to the end. */
export interface KeyRange {
  readonly low: Uint8Array;
  readonly high: Uint8Array | undefined;
}

const nothing = new Uint8Array(0);

export const everyKey: KeyRange = { low: nothing, high: undefined };

/** The least key behind all that begin with these bytes. No key consists of 0xff alone. */
export function behind(key: Uint8Array): Uint8Array {
  let length = key.length;
  while (length > 0 && key[length - 1] === 0xff) length--;
  const next = key.slice(0, length);
  if (length > 0) next[length - 1] = (next[length - 1] as number) + 1;
  return next;
}

/** All keys that begin with these bytes. */
export function keysWithin(prefix: Uint8Array): KeyRange {
  return prefix.length === 0 ? everyKey : { low: prefix, high: behind(prefix) };
}

/**
 * The keys of an interval in a part of a key that runs in a direction. Parts of keys never begin one another, so
 * "behind a value" is behind all keys that begin with it.
 */
export function rangeOf({ low, high }: Interval, direction: Direction): KeyRange {
  if (direction === 1) {
    return {
      low: low.inclusive ? low.key : behind(low.key),
      high: high.inclusive ? behind(high.key) : high.key,
    };
  }
  const [from, to] = [invert(high.key), invert(low.key)];
  return { low: high.inclusive ? from : behind(from), high: low.inclusive ? behind(to) : to };
}

function invert(key: Uint8Array): Uint8Array {
  return key.map((byte) => ~byte);
}

/** A range of the part that follows a prefix. */
export function rangeAfter(prefix: Uint8Array, { low, high }: KeyRange): KeyRange {
  return {
    low: concatenate(prefix, low),
    high: high === undefined ? keysWithin(prefix).high : concatenate(prefix, high),
  };
}

export function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
