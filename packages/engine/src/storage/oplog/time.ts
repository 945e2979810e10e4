import { readUint64 } from '../../bson/bytes.ts';
import { timestamp, timestampSeconds, type Value } from '../../bson/value.ts';
import { INCREMENTS, positionOfParts } from './position.ts';

/** Values of new entries that the replica set provides. */
export interface OplogSource {
  /** Service time, in milliseconds since the epoch. */
  now(): number;
  term(): number;
}

/* This file converts between BSON timestamps and positions (see `position.ts`). */

/** Returns the position at which a second starts. No entry has this position, because increments begin with 1. */
export function secondOf(ms: number): number {
  return timestampSeconds(ms) * INCREMENTS;
}

/** Returns the first position after `last` that is not before `ms`, in milliseconds since the epoch. */
export function nextPosition(last: number, ms: number): number {
  const next = Math.max(last, secondOf(ms)) + 1;
  return next % INCREMENTS === 0 ? next + 1 : next;
}

export function timestampAt(position: number): Value {
  return timestamp(Math.floor(position / INCREMENTS), position % INCREMENTS);
}

/** Returns the position of a timestamp. If its increment exceeds 20 bits, returns the start of the next second. */
export function positionOf(timestamp: Value): number {
  return position(readUint64(timestamp.bytes, timestamp.start));
}

/**
 * Returns the position of a timestamp. The timestamp is given as a 64-bit integer, the form that index keys contain.
 */
export function position(timestamp: bigint): number {
  const seconds = Number(timestamp >> 32n);
  const increment = Number(timestamp & 0xffffffffn);
  return positionOfParts({ seconds, increment });
}
