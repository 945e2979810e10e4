import { readUint64 } from '../../bson/bytes.ts';
import { timestamp, timestampSeconds, type Value } from '../../bson/value.ts';
import { INCREMENTS, positionOfParts } from './position.ts';

/* Conversion between BSON timestamps and positions (see `position.ts`). */

/** The position where a second starts. No entry is there, as increments begin with 1. */
export function secondOf(ms: number): number {
  return timestampSeconds(ms) * INCREMENTS;
}

/** The next position after `last` that is not before `ms`, milliseconds since the epoch. */
export function nextPosition(last: number, ms: number): number {
  const next = Math.max(last, secondOf(ms)) + 1;
  return next % INCREMENTS === 0 ? next + 1 : next;
}

export function timestampAt(position: number): Value {
  return timestamp(Math.floor(position / INCREMENTS), position % INCREMENTS);
}

/**
 * The position of a timestamp. A timestamp whose increment is too large for an entry maps to the start of the next
 * second.
 */
export function positionOf(timestamp: Value): number {
  return position(readUint64(timestamp.bytes, timestamp.start));
}

/** The position of a timestamp that is given as a 64-bit integer, the form of its index key. */
export function position(timestamp: bigint): number {
  const seconds = Number(timestamp >> 32n);
  const increment = Number(timestamp & 0xffffffffn);
  return positionOfParts({ seconds, increment });
}
