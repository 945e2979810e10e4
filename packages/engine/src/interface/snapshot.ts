import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { encodeRawFrame, rawFramesOf } from './frames.ts';
import { type OplogMark, type OplogPosition, partsOfSegment, type SentSegment, segmentOf } from './oplog.ts';

/**
 * This file defines the format of snapshots between an engine and the store of its backups. Only the engine
 * interprets the content of chunks. The store identifies a chunk by its hash, so that an unchanged chunk is stored
 * and sent only once.
 */

/** The first frame. */
interface SnapshotHead {
  /**
   * The version of the format. It is incremented by each change that prevents older engines from restoring the
   * snapshot.
   */
  readonly format: 1;
  /**
   * The position of the last operation in the snapshot. For data that was copied from a deployment outside Portolan, it
   * is the position in the oplog of that deployment, except if `consistency` is `NONE`.
   */
  readonly position: OplogPosition;
  /** The uncompressed size of all chunks, in bytes. */
  readonly bytes: number;
  /**
   * A hash of all writes so far. As long as the hash is unchanged, the next snapshot is identical. Absent in old
   * snapshots.
   */
  readonly state?: string;
  /** The key with which the pages in the chunks are encrypted. Absent if they are not encrypted. */
  readonly key?: WrappedKey;
  /**
   * How consistent the data is. Set only if it was copied from a deployment outside Portolan. `OPERATION`: the snapshot
   * contains the data as of one operation. `NONE`: the servers have no change streams, so the snapshot may lack some of
   * the data that was written during the copy.
   */
  readonly consistency?: 'OPERATION' | 'NONE';
  /** The part of the oplog to replay after a restore. */
  readonly replay?: Replay;
}

/** The oplog segments that follow the snapshot and are replayed. */
export interface Replay {
  /** The entry before the first segment. */
  readonly after: OplogMark;
  /** The last position to replay, inclusive. A transaction that ends later is omitted entirely. */
  readonly until: OplogPosition;
}

/** A digest of the contents of a collection. A restore verifies the digest. */
export interface CollectionDigest {
  readonly database: string;
  readonly name: string;
  readonly documents: number;
  /** The SHA-256 hash of options, indexes and documents, in hexadecimal. */
  readonly digest: string;
}

/** The last frame of a snapshot. If it is missing, the stream is truncated. */
export interface SnapshotEnd {
  /** The digests of the collections. Empty if `sealed` contains them. */
  readonly collections: readonly CollectionDigest[];
  /**
   * The digests of the collections of an encrypted snapshot. They are encrypted with the key of the snapshot and
   * encoded as base64.
   */
  readonly sealed?: string;
}

export type SnapshotFrame =
  | { readonly kind: 'head'; readonly head: SnapshotHead }
  /**
   * The compressed content of a chunk, which is stored and sent back unchanged. `hash` is the SHA-256 hash of the
   * uncompressed content, in hexadecimal.
   */
  | { readonly kind: 'chunk'; readonly hash: string; readonly content: Uint8Array }
  /** A chunk that the receiver already has, so that its content is omitted. */
  | { readonly kind: 'known'; readonly hash: string }
  | { readonly kind: 'end'; readonly end: SnapshotEnd }
  /**
   * A segment of the oplog. If the head of the snapshot contains `replay`, the segments follow the end of the snapshot.
   */
  | ({ readonly kind: 'oplog' } & SentSegment)
  /** The end of the segments. `to` is the last entry of the last segment. */
  | { readonly kind: 'replayed'; readonly to: OplogMark }
  /**
   * The only frame if nothing was written since the last snapshot of the receiver. The request contains the state of
   * that snapshot.
   */
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

/** Splits bytes into frames. Throws if they are invalid or end within a frame. */
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
      throw new Error('the data is not a snapshot');
  }
}

const hashIn = (content: Buffer) => content.toString('hex', 0, HASH_BYTES);

/** An entry of a snapshot in the form of `listCollections`. Data that belongs to single members is omitted. */
export interface SnapshotCollection {
  readonly database: string;
  readonly name: string;
  readonly type: 'collection' | 'timeseries' | 'view';
  /**
   * The document `{options, indexes, uuid, collectionName, type}` in BSON, as backup tools write it to metadata files.
   * A view has no `uuid`.
   */
  readonly metadata: Uint8Array;
}

/**
 * The part of a collection that one shard owns. In a replica set, there is one part, which has an empty name and
 * contains the whole collection.
 */
export interface SnapshotShare {
  readonly shard: string;
  readonly documents: number;
  /** The size of the documents of this part in BSON, in bytes. */
  readonly bytes: number;
}

/** Concatenated BSON documents, or lines of Extended JSON in UTF-8, one per document. */
export interface DocumentBatch {
  readonly documents: number;
  readonly bytes: Uint8Array;
}

/** An open snapshot whose contents have been verified. Requests are served one after another. */
export interface SnapshotContents extends AsyncDisposable {
  readonly collections: readonly SnapshotCollection[];
  /** The digests of the collections. The contents of the collections have been compared with them. */
  readonly digests: readonly CollectionDigest[];
  /**
   * Returns the parts of a collection by shard, or no part for a view. Reads the documents to count them, unless one
   * shard owns all of them.
   */
  shares(of: SnapshotCollection): Promise<readonly SnapshotShare[]>;
  /** Yields the documents of one shard in insertion order. Without `shard`, yields the documents of all shards. */
  documents(of: SnapshotCollection, shard?: string): AsyncGenerator<DocumentBatch>;
  /** Like `documents`, but as canonical Extended JSON. The thread of the snapshot converts the documents. */
  lines(of: SnapshotCollection, shard?: string): AsyncGenerator<DocumentBatch>;
  /** Closes the snapshot and deletes its copy. */
  [Symbol.asyncDispose](): Promise<void>;
}
