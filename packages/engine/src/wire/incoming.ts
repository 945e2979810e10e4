import { hasChecksum, type OpMsg, type OpQuery, parseMessage } from '../message/codec.ts';
import { type Expanded, expand, expandedSize, isCompressed } from './compressed.ts';
import type { Compressor } from './compression.ts';

/** A message of a client. */
export interface Incoming {
  readonly message: OpMsg | OpQuery;
  /** The compressor of the message; absent if it was not compressed. */
  readonly compressor?: Compressor;
}

/** Decompressing a message of this size, or computing its checksum, takes a millisecond or more. */
const SLOW_BYTES = 131_072;

/**
 * Returns how many bytes `readIncoming` holds in memory, and whether it is slow. Throws `MalformedMessage` if the
 * message announces an invalid size.
 */
export function readingOf(bytes: Buffer, limit: number): { bytes: number; isSlow: boolean } {
  if (!isCompressed(bytes)) {
    return { bytes: bytes.length, isSlow: bytes.length >= SLOW_BYTES && hasChecksum(bytes) };
  }
  const size = expandedSize(bytes, limit);
  // Count the output twice, because zlib and zstd collect it in parts and then join the parts.
  return { bytes: bytes.length + 2 * size, isSlow: Math.max(size, bytes.length) >= SLOW_BYTES };
}

/**
 * Decompresses and parses a message, which has at most `limit` bytes without compression. Returns a promise if this
 * takes a long time. Throws or rejects with `MalformedMessage`.
 */
export function readIncoming(bytes: Buffer, limit: number): Incoming | Promise<Incoming> {
  if (!isCompressed(bytes)) return parsed(bytes);
  const expanded = expand(bytes, limit);
  const parse = ({ bytes: content, compressor }: Expanded) => parsed(content, compressor);
  return expanded instanceof Promise ? expanded.then(parse) : parse(expanded);
}

function parsed(bytes: Uint8Array, compressor?: Compressor): Incoming | Promise<Incoming> {
  const message = parseMessage(bytes);
  const withCompressor = (whole: OpMsg | OpQuery) => ({
    message: whole,
    ...(compressor === undefined ? {} : { compressor }),
  });
  return message instanceof Promise ? message.then(withCompressor) : withCompressor(message);
}
