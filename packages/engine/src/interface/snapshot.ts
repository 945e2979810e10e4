import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { encodeRawFrame, rawFramesOf } from './frames.ts';
import { type OplogMark, type OplogPosition, partsOfSegment, type SentSegment, segmentOf } from './oplog.ts';

/**
 * A snapshot on its way between an engine and whoever keeps it. What is in the chunks is the engine's own; whoever
 * keeps them knows them by their hash, so that a chunk that did not change is kept, and sent, once.
 */

/** First frame. */
interface SnapshotHead {
  /** Raised when an older engine could not restore it. */
  readonly format: 1;
  /** The second and the increment of the last operation that is in it. */
  readonly position: OplogPosition;
  /** Bytes of all chunks, unpacked. */
  readonly bytes: number;
  /** A hash of what was written so far: while it stays, the next snapshot is the same. Absent from old ones. */
  readonly state?: string;
  /** What the pages in the chunks are encrypted with; absent: they are in clear. */
  readonly key?: WrappedKey;
  /** On the way back alone: what of the oplog is to be done again. */
  readonly replay?: Replay;
}

/** Segments of the oplog follow the snapshot, and are done again. */
export interface Replay {
  /** The entry before the first segment. */
  readonly after: OplogMark;
  /** Up to this moment, which counts; of a transaction that ends later nothing. */
  readonly until: OplogPosition;
}

/** What was in one collection: restoring it proves the same. */
export interface CollectionDigest {
  readonly database: string;
  readonly name: string;
  readonly documents: number;
  /** SHA-256 in hexadecimal over options, indexes and documents. */
  readonly digest: string;
}

/** Last frame; without it a stream was cut off. */
export interface SnapshotEnd {
  /** None where they are sealed. */
  readonly collections: readonly CollectionDigest[];
  /** The collections of an encrypted snapshot, with its key, as base64. */
  readonly sealed?: string;
}

export type SnapshotFrame =
  | { readonly kind: 'head'; readonly head: SnapshotHead }
  /** Packed content, as it is kept and sent back; `hash` is the SHA-256 of what was packed, in hexadecimal. */
  | { readonly kind: 'chunk'; readonly hash: string; readonly content: Uint8Array }
  /** A chunk that the receiver said it has. */
  | { readonly kind: 'known'; readonly hash: string }
  | { readonly kind: 'end'; readonly end: SnapshotEnd }
  /** A segment of the oplog, behind the end of a snapshot that says so. */
  | ({ readonly kind: 'oplog' } & SentSegment)
  /** There are no more segments: `to` is the last entry of the last one. */
  | { readonly kind: 'replayed'; readonly to: OplogMark }
  /** The only frame: nothing was written since the snapshot whose state the receiver knows. */
  | { readonly kind: 'same' };

const kinds = ['head', 'chunk', 'known', 'end', 'same', 'oplog', 'replayed'] as const;
const HASH_BYTES = 32;

export function encodeFrame(frame: SnapshotFrame): Buffer {
  return encodeRawFrame(kinds.indexOf(frame.kind), contentOf(frame));
}

function contentOf(frame: SnapshotFrame): Uint8Array[] {
  switch (frame.kind) {
    case 'head':
      return [Buffer.from(JSON.stringify(frame.head))];
    case 'chunk':
      return [Buffer.from(frame.hash, 'hex'), frame.content];
    case 'oplog':
      return partsOfSegment(frame);
    case 'known':
      return [Buffer.from(frame.hash, 'hex')];
    case 'end':
      return [Buffer.from(JSON.stringify(frame.end))];
    case 'same':
      return [];
    case 'replayed':
      return [Buffer.from(JSON.stringify(frame.to))];
  }
}

/** The frames of bytes that were cut anywhere. Throws when they are none, or end in the middle. */
export async function* framesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SnapshotFrame> {
  for await (const { kind, content } of rawFramesOf(bytes)) yield decode(kind, content);
}

function decode(number: number, content: Buffer): SnapshotFrame {
  const kind = kinds[number];
  switch (kind) {
    case 'head':
      return { kind, head: JSON.parse(content.toString()) };
    case 'chunk':
      return { kind, hash: hashIn(content), content: content.subarray(HASH_BYTES) };
    case 'oplog':
      return { kind, ...segmentOf(content) };
    case 'known':
      return { kind, hash: hashIn(content) };
    case 'end':
      return { kind, end: JSON.parse(content.toString()) };
    case 'same':
      return { kind };
    case 'replayed':
      return { kind, to: JSON.parse(content.toString()) };
    default:
      throw new Error('these are not the bytes of a snapshot');
  }
}

const hashIn = (content: Buffer) => content.toString('hex', 0, HASH_BYTES);

/** What has a name in a snapshot, as `listCollections` tells it; what belongs to the members alone is left out. */
export interface SnapshotCollection {
  readonly database: string;
  readonly name: string;
  readonly type: 'collection' | 'timeseries' | 'view';
  /** `{options, indexes, uuid, collectionName, type}` as BSON: what tools write beside the documents; views have no uuid. */
  readonly metadata: Uint8Array;
}

/** What one shard owns of a collection; a replica set owns all of it, and its name is empty. */
export interface SnapshotShare {
  readonly shard: string;
  readonly documents: number;
  /** Of these documents as BSON. */
  readonly bytes: number;
}

/** BSON documents, one behind the other. */
export interface DocumentBatch {
  readonly documents: number;
  readonly bytes: Uint8Array;
}

/** A snapshot that is being read; it has proved to hold what was taken. Questions are answered one after another. */
export interface SnapshotContents extends AsyncDisposable {
  readonly collections: readonly SnapshotCollection[];
  /** What its collections were compared with. */
  readonly digests: readonly CollectionDigest[];
  /** Empty of a view. Reads what it counts, unless one owns everything. */
  shares(of: SnapshotCollection): Promise<readonly SnapshotShare[]>;
  /** In the order in which they were inserted; of one shard, or all. */
  documents(of: SnapshotCollection, shard?: string): AsyncGenerator<DocumentBatch>;
  /** Lets go of it, and of the room that it took. */
  [Symbol.asyncDispose](): Promise<void>;
}
