import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';

/**
 * The size of a chunk of a file. It is 128 pages. This is small enough that a changed page costs little, and large
 * enough that a cluster of 100 GB has at most 100,000 chunks.
 */
export const CHUNK_BYTES = 1024 * 1024;

/** Decompresses a chunk. Throws if the hash of its content differs from its name. */
export function unpackChunk(content: Uint8Array, name: string): Uint8Array {
  const chunk = unpacked(content);
  if (chunk === undefined || hash('sha256', chunk, 'hex') !== name)
    throw new Error(`chunk ${name} is damaged`);
  return chunk;
}

/** Decompresses content. Returns undefined if it is not compressed or exceeds the size of a chunk. */
function unpacked(content: Uint8Array): Uint8Array | undefined {
  try {
    // With the default of 16 KiB for `chunkSize`, Node.js would collect the content in 64 buffers and copy them. These
    // buffers would stay in memory until garbage collection.
    return zstdDecompressSync(content, { maxOutputLength: CHUNK_BYTES, chunkSize: CHUNK_BYTES });
  } catch {
    return undefined;
  }
}
