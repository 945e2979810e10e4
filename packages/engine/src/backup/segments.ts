import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { RawDocument } from '../bson/raw.ts';
import type { SentSegment } from '../interface/oplog.ts';

/** A row of the oplog in its stored form: one entry, or a run of inserts. */
export interface OplogRow {
  /** The position of the newest entry. */
  readonly rid: number;
  readonly doc: RawDocument;
}

/** A segment ends when it has reached this size, measured before compression. */
export const SEGMENT_BYTES = 1024 * 1024;
/** A limit that no segment reaches, because an entry has at most 16 MiB plus the fields around the document. */
const LARGEST_BYTES = 64 * 1024 * 1024;
/** At this compression level, compressing is about as fast as reading from disk. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const RID_BYTES = 8;
const CONTEXT = 'segment of an oplog';

interface PackedRows {
  readonly hash: string;
  readonly content: Uint8Array;
}

/** Concatenates rows. The id of each row precedes the row. Compresses and encrypts the result. */
export function packRows(rows: readonly OplogRow[], key: Uint8Array | undefined): PackedRows {
  const parts = rows.flatMap(({ rid, doc }) => {
    const head = Buffer.alloc(RID_BYTES);
    head.writeBigUInt64LE(BigInt(rid));
    return [head, doc.toBytes()];
  });
  const bytes = Buffer.concat(parts);
  const content = zstdCompressSync(bytes, packing);
  const sealed = key === undefined ? content : secretBox(key, systemRandom()).seal(content, CONTEXT);
  return { hash: hash('sha256', bytes, 'hex'), content: sealed };
}

/** Reverses `packRows`. Throws if the content does not match the hash, or if none of the keys decrypts it. */
export function* rowsOf({ segment, content }: SentSegment, keys: readonly Uint8Array[]): Generator<OplogRow> {
  const packed = segment.key === undefined ? content : opened(content, keys);
  const bytes = zstdDecompressSync(packed, { maxOutputLength: LARGEST_BYTES });
  if (hash('sha256', bytes, 'hex') !== segment.hash)
    throw new Error(`segment ${segment.hash} of the oplog is damaged`);
  for (let at = 0; at < bytes.length; ) {
    const doc = new RawDocument(bytes, at + RID_BYTES);
    yield { rid: Number(bytes.readBigUInt64LE(at)), doc };
    at += RID_BYTES + doc.length;
  }
}

/** Decrypts the content with the first key that succeeds. */
function opened(content: Uint8Array, keys: readonly Uint8Array[]): Uint8Array {
  for (const key of keys) {
    try {
      return secretBox(key, systemRandom()).open(content, CONTEXT);
    } catch {
      // The key belongs to another segment, so try the next key.
    }
  }
  throw new Error('no key decrypts the oplog');
}
