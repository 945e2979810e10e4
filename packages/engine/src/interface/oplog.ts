import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { encodeRawFrame, rawFramesOf } from './frames.ts';

/**
 * This file defines the format of archived oplogs. An archive consists of segments. Only the engine interprets their
 * content. The archive identifies a segment by its hash, and by the entries at its start and end.
 */

/** The time of an entry: seconds and increment. */
export interface OplogPosition {
  readonly seconds: number;
  readonly increment: number;
}

/** Identifies an entry. After a restore, another entry may have the same position but not the same digest. */
export interface OplogMark extends OplogPosition {
  /** The SHA-256 hash of the stored entry, in hexadecimal. */
  readonly digest: string;
}

/** The first frame. */
interface OplogHead {
  readonly format: 1;
  /**
   * The entry after which the segments begin. This is the requested entry or, if the oplog no longer contains it, the
   * newest entry.
   */
  readonly after: OplogMark;
  /** True if the oplog contains the requested entry, and all entries after it. */
  readonly whole: boolean;
}

/** A sequence of consecutive entries. */
export interface OplogSegment {
  /** The SHA-256 hash of the packed entries, in hexadecimal. */
  readonly hash: string;
  /** The entry before the first entry of the segment. */
  readonly after: OplogMark;
  /** The last entry of the segment. */
  readonly to: OplogMark;
  /** The key of the content. Absent if the content is not encrypted. */
  readonly key?: WrappedKey;
  /** Whether the entries are events of a change stream, as of a deployment that runs outside Portolan. */
  readonly isChanges?: true;
}

export type OplogFrame =
  | { readonly kind: 'head'; readonly head: OplogHead }
  | ({ readonly kind: 'segment' } & SentSegment)
  | ({ readonly kind: 'end' } & OplogEnd);

/** The last frame. If it is missing, the stream is truncated. */
interface OplogEnd {
  /** The newest entry. */
  readonly to: OplogMark;
  /**
   * The time of the servers just before the oplog was read, in milliseconds since 1970. Later entries have later times.
   * Absent if the clock of the servers shows service time.
   */
  readonly time?: number;
}

const kinds = ['head', 'segment', 'end'] as const;
const LENGTH_BYTES = 4;

export function encodeOplogFrame(frame: OplogFrame): Buffer {
  return encodeRawFrame(kinds.indexOf(frame.kind), contentOf(frame));
}

function contentOf(frame: OplogFrame): Uint8Array[] {
  if (frame.kind === 'head') return [Buffer.from(JSON.stringify(frame.head))];
  if (frame.kind === 'end') {
    const { to, time } = frame;
    return [Buffer.from(JSON.stringify({ ...to, time }))];
  }
  return partsOfSegment(frame);
}

/** A segment with its content. */
export interface SentSegment {
  readonly segment: OplogSegment;
  readonly content: Uint8Array;
}

export function partsOfSegment({ segment, content }: SentSegment): Uint8Array[] {
  const head = Buffer.from(JSON.stringify(segment));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return [length, head, content];
}

export function segmentOf(content: Buffer): SentSegment {
  const end = LENGTH_BYTES + content.readUInt32LE(0);
  return {
    segment: JSON.parse(content.toString('utf8', LENGTH_BYTES, end)),
    content: content.subarray(end),
  };
}

/** Splits a byte stream into frames. Throws if the stream is invalid or ends within a frame. */
export async function* oplogFramesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OplogFrame> {
  for await (const { kind, content } of rawFramesOf(bytes)) yield decode(kind, content);
}

function decode(number: number, content: Buffer): OplogFrame {
  const kind = kinds[number];
  if (kind === 'head') return { kind, head: JSON.parse(content.toString()) };
  if (kind === 'end') {
    const { time, ...to } = JSON.parse(content.toString());
    return { kind, to, ...(time !== undefined && { time }) };
  }
  if (kind !== 'segment') throw new Error('the data is not an oplog');
  return { kind, ...segmentOf(content) };
}
