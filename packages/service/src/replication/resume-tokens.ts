import { type Document, Timestamp } from 'mongodb';
import { PermanentError } from './permanent-error.ts';

/** The type byte of a timestamp, and the timestamp as seconds and increment. */
const TIME = /^82([0-9A-F]{8})([0-9A-F]{8})/i;
/** After the timestamp and the version of the format: the token is that of an event. */
const EVENT = /^.{18}2B0.2C/i;

/**
 * The source time up to which a change stream has returned all changes, after a batch. `token` is the resume token of
 * an empty batch; without it, `latest` is the time of the last change. An empty batch alone proves nothing: the
 * server may only have stopped scanning for a while, and a router returns nothing while it waits for one of the shards.
 */
export function positionAfter(
  token: Document | undefined,
  latest: Timestamp | undefined,
  isSharded: boolean,
): Timestamp | undefined {
  // The rest of a transaction has the same time.
  if (token === undefined) return latest && precedingTime(latest);
  const time = timeIn(token);
  if (time === undefined) throw new PermanentError('The resume tokens of the source contain no time.');
  // Without an event, the token is a high-water mark, which comes before the events of its time.
  const isEvent = EVENT.test(String(token._data));
  // On a sharded cluster, further events of this time may follow: all parts of a transaction have the same time, on
  // whatever shard, and shards may also give the same time to different operations.
  return isEvent && !isSharded ? time : precedingTime(time);
}

/** The time in a resume token; undefined if it has another format than that of the reference server. */
export function timeIn({ _data: data }: Document): Timestamp | undefined {
  const [, seconds, increment] = (typeof data === 'string' && TIME.exec(data)) || [];
  if (seconds === undefined || increment === undefined) return undefined;
  return new Timestamp({ t: Number.parseInt(seconds, 16), i: Number.parseInt(increment, 16) });
}

export const precedingTime = (time: Timestamp) => new Timestamp(time.toBigInt() - 1n);
