import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { OplogMark, OplogPosition, SentSegment } from '@portolan/engine/management';
import { BSON, type Timestamp } from 'mongodb';
import { type Change, EXACT } from '../../replication/index.ts';

/**
 * This file packs the changes of an adopted deployment into segments of an archive. A segment contains the events of a
 * change stream as BSON documents.
 */

/** At this compression level, compressing is about as fast as reading from disk. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export const positionOf = ({ t, i }: Timestamp): OplogPosition => ({ seconds: t, increment: i });

export function compare(one: OplogPosition, other: OplogPosition): number {
  return one.seconds - other.seconds || one.increment - other.increment;
}

/** Returns the mark of a time without a change. */
export const markAt = (position: OplogPosition): OplogMark => ({ ...position, digest: '' });

/** Returns the mark of a change. Its digest identifies the event in the change stream. */
export function markOf({ clusterTime, _id }: Change): OplogMark {
  return { ...positionOf(clusterTime), digest: hash('sha256', String(_id._data), 'hex') };
}

export const bytesOf = (change: Change): Uint8Array => BSON.serialize(change);

/** Packs changes into a segment. They follow the mark `after`; `to` is the mark of the last of them. */
export function packed(changes: readonly Uint8Array[], after: OplogMark, to: OplogMark): SentSegment {
  const bytes = Buffer.concat(changes);
  const segment = { hash: hash('sha256', bytes, 'hex'), after, to, isChanges: true } as const;
  return { segment, content: zstdCompressSync(bytes, packing) };
}

/** Reverses `packed`. Throws if the content does not match its hash. */
function* changesOf({ segment, content }: SentSegment): Generator<Change> {
  const bytes = zstdDecompressSync(content);
  if (hash('sha256', bytes, 'hex') !== segment.hash)
    throw new Error(`segment ${segment.hash} of the oplog is damaged`);
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readInt32LE(at);
    yield BSON.deserialize(bytes.subarray(at, at + length), EXACT) as unknown as Change;
    at += length;
  }
}

/** The range of an archive to replay: after one position, and up to another one. */
export interface ReplayRange {
  readonly after: OplogPosition;
  readonly until: OplogPosition;
}

/** Returns the changes of a range. Throws if the segments do not contain all of them. */
export async function* changesIn(
  segments: AsyncIterable<SentSegment>,
  { after, until }: ReplayRange,
): AsyncGenerator<Change> {
  let last: OplogMark | undefined;
  for await (const sent of segments) {
    const { segment } = sent;
    const continues =
      last === undefined
        ? compare(segment.after, after) <= 0
        : compare(segment.after, last) === 0 && segment.after.digest === last.digest;
    if (!continues) throw new Error('a segment of the oplog does not continue the previous one');
    last = segment.to;
    for (const change of changesOf(sent)) {
      const position = positionOf(change.clusterTime);
      if (compare(position, until) > 0) return;
      if (compare(position, after) > 0) yield change;
    }
  }
}
