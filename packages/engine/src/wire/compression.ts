import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  deflate,
  deflateSync,
  inflate,
  inflateSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';
import { compress as snappyCompress } from 'snappyjs';
import { MalformedMessage } from '../message/sections.ts';
import { readSnappy } from './snappy.ts';

/** A compression method for messages. Large messages may be processed in the thread pool. */
export interface Compressor {
  /** The name in the `hello` command of the driver. */
  readonly name: string;
  /** The compressor id in messages. */
  readonly id: number;
  compress(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Decompresses to exactly `size` bytes and never allocates more. Throws or rejects with `MalformedMessage`. */
  expand(bytes: Uint8Array, size: number): Uint8Array | Promise<Uint8Array>;
}

/** Compressing a message of this size takes a millisecond or more, and would delay other connections. */
const LARGE_BYTES = 131_072;
/**
 * Number of bytes after which compression with Snappy lets other connections run. This thread compresses about 50 MB/s,
 * so the bytes take 1.3 ms.
 */
const SNAPPY_BYTES = 65_536;
const CHUNK_BYTES = 65_536;

const snappy: Compressor = {
  name: 'snappy',
  id: 1,
  compress: (bytes) => (bytes.length > SNAPPY_BYTES ? compressInTurns(bytes) : snappyCompress(bytes)),
  expand: readSnappy,
};

/**
 * Compresses a message in parts. The concatenation of the results is valid, because no part refers to bytes of another
 * part.
 */
async function compressInTurns(bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [varint(bytes.length)];
  for (let at = 0; at < bytes.length; at += SNAPPY_BYTES) {
    const part = bytes.subarray(at, at + SNAPPY_BYTES);
    parts.push(snappyCompress(part).subarray(varint(part.length).length));
    await setImmediate();
  }
  return Buffer.concat(parts);
}

/** Encodes the length that precedes compressed data: seven bits per byte, with the lowest bits first. */
function varint(length: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = length; ; left >>>= 7) {
    if (left < 0x80) return Uint8Array.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

const zlib = native(2, 'zlib', {
  compress: deflateSync,
  compressLarge: promisify(deflate),
  expand: inflateSync,
  expandLarge: promisify(inflate),
});

const zstd = native(3, 'zstd', {
  compress: zstdCompressSync,
  compressLarge: promisify(zstdCompress),
  expand: zstdDecompressSync,
  expandLarge: promisify(zstdDecompress),
});

export const compressors: readonly Compressor[] = [snappy, zstd, zlib];

/** Returns the compressors that both the driver and the engine support, in the order of the driver. */
export function negotiate(offered: unknown): string[] {
  if (!Array.isArray(offered)) return [];
  return offered.filter((name) => compressors.some((compressor) => compressor.name === name));
}

type Options = { readonly maxOutputLength?: number; readonly chunkSize?: number };

interface NativeCalls {
  compress(bytes: Uint8Array): Uint8Array;
  compressLarge(bytes: Uint8Array): Promise<Uint8Array>;
  expand(bytes: Uint8Array, options: Options): Uint8Array;
  expandLarge(bytes: Uint8Array, options: Options): Promise<Uint8Array>;
}

function native(id: number, name: string, calls: NativeCalls): Compressor {
  return {
    name,
    id,
    compress: (bytes) => (bytes.length < LARGE_BYTES ? calls.compress(bytes) : calls.compressLarge(bytes)),
    expand(bytes, size) {
      // Limit the output to the announced size, whatever the input contains.
      const options = { maxOutputLength: size, chunkSize: Math.min(Math.max(size, 64), CHUNK_BYTES) };
      // A large input can expand to few bytes, for example if it consists of empty blocks.
      if (Math.max(size, bytes.length) >= LARGE_BYTES) {
        const expanded = calls.expandLarge(bytes, options);
        return expanded.then((output) => checked(output, size), reject);
      }
      try {
        return checked(calls.expand(bytes, options), size);
      } catch (error) {
        return reject(error);
      }
    },
  };

  function reject(error: unknown): never {
    if (error instanceof MalformedMessage) throw error;
    throw new MalformedMessage(`a message compressed with ${name}: ${(error as Error).message}`);
  }
}

function checked(output: Uint8Array, size: number): Uint8Array {
  if (output.length === size) return output;
  throw new MalformedMessage(`a compressed message of ${output.length} bytes that announced ${size}`);
}
