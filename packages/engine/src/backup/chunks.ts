import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';

/**
 * A file is cut into pieces of this size, 128 pages: small enough that a changed page costs little, large enough that
 * a cluster of 100 GB has no more than 100,000 of them.
 */
export const CHUNK_BYTES = 1024 * 1024;

/** Decompresses a chunk. Throws if the hash of its content is not its name. */
export function unpackChunk(content: Uint8Array, name: string): Uint8Array {
  const chunk = unpacked(content);
  if (chunk === undefined || hash('sha256', chunk, 'hex') !== name)
    throw new Error(`chunk ${name} is damaged`);
  return chunk;
}

/** Undefined if the content is not compressed, or larger than a chunk. */
function unpacked(content: Uint8Array): Uint8Array | undefined {
  try {
    return zstdDecompressSync(content, { maxOutputLength: CHUNK_BYTES });
  } catch {
    return undefined;
  }
}
