import { readUint64 } from '../../bson/bytes.ts';
import { timestamp, timestampSeconds, type Value } from '../../bson/value.ts';

/*
 * A time of the oplog is a BSON timestamp: seconds and an increment. In the file it is one whole number, its
 * position: seconds above 20 bits of increment, which stays below 2^53 until the year 2106, the end of timestamps.
 */

const INCREMENTS = 2 ** 20;

/** The first position of a second; no entry has the increment 0. */
export function secondOf(ms: number): number {
  return timestampSeconds(ms) * INCREMENTS;
}

/** The position behind `last` that is not before `ms`, milliseconds since the epoch. */
export function nextPosition(last: number, ms: number): number {
  const next = Math.max(last, secondOf(ms)) + 1;
  return next % INCREMENTS === 0 ? next + 1 : next;
}

export function partsOfPosition(position: number): { seconds: number; increment: number } {
  return { seconds: Math.floor(position / INCREMENTS), increment: position % INCREMENTS };
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
  return increment < INCREMENTS ? seconds * INCREMENTS + increment : (seconds + 1) * INCREMENTS;
}
