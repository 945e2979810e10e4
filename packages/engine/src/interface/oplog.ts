import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { encodeRawFrame, rawFramesOf } from './frames.ts';

/**
 * The oplog of a deployment on its way to whoever archives it: segments, which are the engine's own inside. Whoever
 * keeps them knows each by its hash and by the entries between which it lies.
 */

/** The second and the increment of an entry. */
export interface OplogPosition {
  readonly seconds: number;
  readonly increment: number;
}

/** An entry, told from another one that had its position in another history: the data was restored in between. */
export interface OplogMark extends OplogPosition {
  /** SHA-256 of what is stored of it, in hexadecimal. */
  readonly digest: string;
}

/** First frame. */
interface OplogHead {
  readonly format: 1;
  /** The entry behind which the segments begin: the one that was asked for, or the newest where that is gone. */
  readonly after: OplogMark;
  /** The entry that was asked for is there, and nothing behind it has gone. */
  readonly whole: boolean;
}

/** Entries that follow each other. */
export interface OplogSegment {
  /** SHA-256 of what was packed, in hexadecimal. */
  readonly hash: string;
  /** The entry before the first. */
  readonly after: OplogMark;
  /** The last one. */
  readonly to: OplogMark;
  /** What the content is encrypted with; absent: it is in clear. */
  readonly key?: WrappedKey;
}

export type OplogFrame =
  | { readonly kind: 'head'; readonly head: OplogHead }
  | ({ readonly kind: 'segment' } & SentSegment)
  /** Last frame; without it a stream was cut off. `to`: the newest entry. */
  | { readonly kind: 'end'; readonly to: OplogMark };

const kinds = ['head', 'segment', 'end'] as const;
const LENGTH_BYTES = 4;

export function encodeOplogFrame(frame: OplogFrame): Buffer {
  return encodeRawFrame(kinds.indexOf(frame.kind), contentOf(frame));
}

function contentOf(frame: OplogFrame): Uint8Array[] {
  if (frame.kind === 'head') return [Buffer.from(JSON.stringify(frame.head))];
  if (frame.kind === 'end') return [Buffer.from(JSON.stringify(frame.to))];
  return partsOfSegment(frame);
}

/** A segment on its way, and what is in it. */
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

/** The frames of bytes that were cut anywhere. Throws when they are none, or end in the middle. */
export async function* oplogFramesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OplogFrame> {
  for await (const { kind, content } of rawFramesOf(bytes)) yield decode(kind, content);
}

function decode(number: number, content: Buffer): OplogFrame {
  const kind = kinds[number];
  if (kind === 'head') return { kind, head: JSON.parse(content.toString()) };
  if (kind === 'end') return { kind, to: JSON.parse(content.toString()) };
  if (kind !== 'segment') throw new Error('these are not the bytes of an oplog');
  return { kind, ...segmentOf(content) };
}
