import { type Document, Timestamp } from 'mongodb';
import { PermanentError } from './permanent-error.ts';

/** A token begins with the type byte of a timestamp, and the seconds and the increment of the timestamp. */
const TIME = /^82([0-9A-F]{8})([0-9A-F]{8})/i;
/** Matches the token of an event, by the value that follows the timestamp and the version of the format. */
const EVENT = /^.{18}2B0.2C/i;

/**
 * Returns the source time up to which a change stream has returned all changes. If the last batch was empty, `token`
 * is its resume token. Otherwise, `latest` is the time of the last change. An empty batch does not prove that there
 * are no more changes. A server returns an empty batch when it stops scanning for a while, and a router returns one
 * when it waits for one of the shards.
 */
export function positionAfter(
  token: Document | undefined,
  latest: Timestamp | undefined,
  isSharded: boolean,
): Timestamp | undefined {
  // The next batch may contain more changes of the same transaction, which have the same time.
  if (token === undefined) return latest && precedingTime(latest);
  const time = timeIn(token);
  if (time === undefined) throw new PermanentError('The resume tokens of the source contain no time.');
  // A token that does not belong to an event is a high-water mark, which comes before the events of its time.
  const isEvent = EVENT.test(String(token._data));
  // On a sharded cluster, more events of this time may follow. All changes of a transaction have the same time on
  // every shard, and shards may also give the same time to different operations.
  return isEvent && !isSharded ? time : precedingTime(time);
}

/** Returns the time in a resume token; undefined if the token does not have the format of the reference server. */
export function timeIn({ _data: data }: Document): Timestamp | undefined {
  const [, seconds, increment] = (typeof data === 'string' && TIME.exec(data)) || [];
  if (seconds === undefined || increment === undefined) return undefined;
  return new Timestamp({ t: Number.parseInt(seconds, 16), i: Number.parseInt(increment, 16) });
}

export const precedingTime = (time: Timestamp) => new Timestamp(time.toBigInt() - 1n);
