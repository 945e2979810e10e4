import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { RawDocument } from '../bson/raw.ts';
import type { SentSegment } from '../interface/oplog.ts';

/** A row of the oplog as it lies in the file: an entry, or a run of inserts. */
export interface OplogRow {
  /** The position of its newest entry. */
  readonly rid: number;
  readonly doc: RawDocument;
}

/** A segment ends with the row that reaches this. */
export const SEGMENT_BYTES = 1024 * 1024;
/** An entry is of 16 MiB and what stands around its document. */
const LARGEST_BYTES = 64 * 1024 * 1024;
/** The level that packs about as quickly as a disk reads. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const RID_BYTES = 8;
const CONTEXT = 'segment of an oplog';

interface PackedRows {
  readonly hash: string;
  readonly content: Uint8Array;
}

/** Rows one after another, each behind its id. */
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

/** Throws where it is not what was packed. */
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

/** With the one of the keys that fits. */
function opened(content: Uint8Array, keys: readonly Uint8Array[]): Uint8Array {
  for (const key of keys) {
    try {
      return secretBox(key, systemRandom()).open(content, CONTEXT);
    } catch {
      // It belongs to another segment.
    }
  }
  throw new Error('the oplog cannot be read with its keys');
}
