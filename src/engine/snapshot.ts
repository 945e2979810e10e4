import type { WrappedKey } from '../runtime/keys/wrapped-key.ts';

/**
 * A snapshot on its way between an engine and whoever keeps it: frames, each a length (32 bits, little-endian), a kind
 * and a content of that length. What is in the chunks is the engine's own; whoever keeps them knows them by their hash,
 * so that a chunk that did not change is kept, and sent, once.
 */

/** First frame. */
interface SnapshotHead {
  /** Raised when an older engine could not restore it. */
  readonly format: 1;
  /** The second and the increment of the last operation that is in it. */
  readonly position: { readonly seconds: number; readonly increment: number };
  /** Bytes of all chunks, unpacked. */
  readonly bytes: number;
  /** A hash of what was written so far: while it stays, the next snapshot is the same. Absent from old ones. */
  readonly state?: string;
  /** What the pages in the chunks are encrypted with; absent: they are in clear. */
  readonly key?: WrappedKey;
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
  /** The only frame: nothing was written since the snapshot whose state the receiver knows. */
  | { readonly kind: 'same' };

const kinds = ['head', 'chunk', 'known', 'end', 'same'] as const;
const HEADER_BYTES = 5;
const HASH_BYTES = 32;
/** Chunks are of 1 MiB, and what cannot be packed grows a little; lists of collections are longer. */
const LARGEST_BYTES = 256 * 1024 * 1024;

export function encodeFrame(frame: SnapshotFrame): Buffer {
  const content = contentOf(frame);
  const header = Buffer.alloc(HEADER_BYTES);
  const length = content.reduce((sum, part) => sum + part.length, 0);
  header.writeUInt32LE(length, 0);
  header.writeUInt8(kinds.indexOf(frame.kind), 4);
  return Buffer.concat([header, ...content]);
}

function contentOf(frame: SnapshotFrame): Uint8Array[] {
  switch (frame.kind) {
    case 'head':
      return [Buffer.from(JSON.stringify(frame.head))];
    case 'chunk':
      return [Buffer.from(frame.hash, 'hex'), frame.content];
    case 'known':
      return [Buffer.from(frame.hash, 'hex')];
    case 'end':
      return [Buffer.from(JSON.stringify(frame.end))];
    case 'same':
      return [];
  }
}

/** The frames of bytes that were cut anywhere. Throws when they are none, or end in the middle. */
export async function* framesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SnapshotFrame> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let wanted = HEADER_BYTES;
  for await (const piece of bytes) {
    pieces.push(piece);
    held += piece.length;
    // Put together once for each frame, not for each piece of it.
    if (held < wanted) continue;
    let rest = Buffer.concat(pieces);
    for (wanted = endOfFrame(rest); wanted <= rest.length; wanted = endOfFrame(rest)) {
      yield decode(rest[4] ?? 0, rest.subarray(HEADER_BYTES, wanted));
      rest = rest.subarray(wanted);
    }
    pieces = [rest];
    held = rest.length;
  }
  if (held > 0) throw new Error('the snapshot ends in the middle');
}

/** Bytes up to the end of the first frame; where its header is not there yet, up to the end of that. */
function endOfFrame(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  const length = bytes.readUInt32LE(0);
  if (length > LARGEST_BYTES) throw new Error('these are not the bytes of a snapshot');
  return HEADER_BYTES + length;
}

function decode(number: number, content: Buffer): SnapshotFrame {
  const kind = kinds[number];
  switch (kind) {
    case 'head':
      return { kind, head: JSON.parse(content.toString()) };
    case 'chunk':
      return { kind, hash: hashIn(content), content: content.subarray(HASH_BYTES) };
    case 'known':
      return { kind, hash: hashIn(content) };
    case 'end':
      return { kind, end: JSON.parse(content.toString()) };
    case 'same':
      return { kind };
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
