import { readUint64 } from '../../bson/bytes.ts';
import { timestamp, timestampSeconds, type Value } from '../../bson/value.ts';
import { INCREMENTS, positionOfParts } from './position.ts';

/* A time of the oplog is a BSON timestamp, which `position.ts` has as one whole number. */

/** The first position of a second; no entry has the increment 0. */
export function secondOf(ms: number): number {
  return timestampSeconds(ms) * INCREMENTS;
}

/** The position behind `last` that is not before `ms`, milliseconds since the epoch. */
export function nextPosition(last: number, ms: number): number {
  const next = Math.max(last, secondOf(ms)) + 1;
  return next % INCREMENTS === 0 ? next + 1 : next;
}

export function timestampAt(position: number): Value {
  return timestamp(Math.floor(position / INCREMENTS), position % INCREMENTS);
}

/**
 * The position of a timestamp. One with an increment that no entry has stands before the first entry of the next
 * second.
 */
export function positionOf(timestamp: Value): number {
  return position(readUint64(timestamp.bytes, timestamp.start));
}

/** The position of a timestamp as a whole number, as its index key has it. */
export function position(timestamp: bigint): number {
  const seconds = Number(timestamp >> 32n);
  const increment = Number(timestamp & 0xffffffffn);
  return positionOfParts({ seconds, increment });
}
