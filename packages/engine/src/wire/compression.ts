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

/** A way to make messages smaller. Large ones may be worked on in the thread pool, beside other connections. */
export interface Compressor {
  /** As drivers name it in their greeting. */
  readonly name: string;
  /** In the message. */
  readonly id: number;
  compress(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Exactly `size` bytes; throws or rejects with `MalformedMessage`. Never takes memory for more. */
  expand(bytes: Uint8Array, size: number): Uint8Array | Promise<Uint8Array>;
}

/** From this size on a message takes a millisecond and more, for which other connections would wait. */
const LARGE_BYTES = 131_072;
/** Snappy packs in this thread, at some 50 MB/s: after 1.3 ms others have their turn. */
const SNAPPY_BYTES = 65_536;
const CHUNK_BYTES = 65_536;

const snappy: Compressor = {
  name: 'snappy',
  id: 1,
  compress: (bytes) => (bytes.length > SNAPPY_BYTES ? packInTurns(bytes) : snappyCompress(bytes)),
  expand: readSnappy,
};

/** Parts that refer to themselves alone, one behind the other, are what the whole may be made of. */
async function packInTurns(bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [varint(bytes.length)];
  for (let at = 0; at < bytes.length; at += SNAPPY_BYTES) {
    const part = bytes.subarray(at, at + SNAPPY_BYTES);
    parts.push(snappyCompress(part).subarray(varint(part.length).length));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat(parts);
}

/** A length as it stands before what is packed: seven bits a byte, the lowest first. */
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

/** Those of the driver's that are known here, in the driver's order. */
export function negotiate(asked: unknown): string[] {
  if (!Array.isArray(asked)) return [];
  return asked.filter((name) => compressors.some((compressor) => compressor.name === name));
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
      // The output may not grow past what was announced, whatever the input holds.
      const options = { maxOutputLength: size, chunkSize: Math.min(Math.max(size, 64), CHUNK_BYTES) };
      if (size >= LARGE_BYTES) {
        const expanded = calls.expandLarge(bytes, options);
        return expanded.then((output) => checked(output, size), refuse);
      }
      try {
        return checked(calls.expand(bytes, options), size);
      } catch (error) {
        return refuse(error);
      }
    },
  };

  function refuse(error: unknown): never {
    if (error instanceof MalformedMessage) throw error;
    throw new MalformedMessage(`a message compressed with ${name}: ${(error as Error).message}`);
  }
}

function checked(output: Uint8Array, size: number): Uint8Array {
  if (output.length === size) return output;
  throw new MalformedMessage(`a compressed message of ${output.length} bytes that announced ${size}`);
}
