import { HEADER_BYTES, OP_COMPRESSED } from '../message/codec.ts';
import { MalformedMessage } from '../message/sections.ts';
import { type Compressor, compressors } from './compression.ts';

/**
 * An OP_COMPRESSED message consists of a header, the original opcode, the uncompressed size, the compressor id and the
 * compressed body.
 */

/** The length of header, opcode, size and compressor id. */
const HEAD_BYTES = HEADER_BYTES + 9;

export interface Expanded {
  /** The whole uncompressed message in a buffer of its own. */
  readonly bytes: Buffer;
  readonly compressor: Compressor;
}

export function isCompressed(bytes: Buffer): boolean {
  return bytes.readInt32LE(12) === OP_COMPRESSED;
}

/**
 * Returns the size that a compressed message announces, without its header. Throws `MalformedMessage` if the
 * size is invalid, or if the whole message would have more than `limit` bytes.
 */
export function expandedSize(bytes: Buffer, limit: number): number {
  if (bytes.length < HEAD_BYTES) throw new MalformedMessage('OP_COMPRESSED ends before its content');
  const size = bytes.readInt32LE(HEADER_BYTES + 4);
  if (size > 0 && HEADER_BYTES + size <= limit) return size;
  throw new MalformedMessage(`a compressed message of ${size} bytes: at most ${limit} are allowed`);
}

/** Decompresses a message to at most `limit` bytes. Throws or rejects with `MalformedMessage`. */
export function expand(bytes: Buffer, limit: number): Expanded | Promise<Expanded> {
  const size = expandedSize(bytes, limit);
  const id = bytes[HEADER_BYTES + 8];
  const compressor = compressors.find((known) => known.id === id);
  if (compressor === undefined) throw new MalformedMessage(`compressor ${id} is not supported`);
  const content = compressor.expand(bytes.subarray(HEAD_BYTES), size);
  const done = (output: Uint8Array) => ({ bytes: unwrap(bytes, output), compressor });
  return content instanceof Promise ? content.then(done) : done(content);
}

function unwrap(outer: Buffer, content: Uint8Array): Buffer {
  const message = Buffer.allocUnsafeSlow(HEADER_BYTES + content.length);
  outer.copy(message, 0, 0, HEADER_BYTES);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(outer.readInt32LE(HEADER_BYTES), 12);
  message.set(content, HEADER_BYTES);
  return message;
}

/** Compresses the message that consists of `head` and `document`. */
export function compress(
  head: Buffer,
  document: Uint8Array,
  compressor: Compressor,
): Buffer | Promise<Buffer> {
  const content = Buffer.concat([head.subarray(HEADER_BYTES), document]);
  const output = compressor.compress(content);
  const done = (packed: Uint8Array) => wrap(head, content.length, packed, compressor);
  return output instanceof Promise ? output.then(done) : done(output);
}

function wrap(head: Buffer, size: number, packed: Uint8Array, { id }: Compressor): Buffer {
  const message = Buffer.allocUnsafe(HEAD_BYTES + packed.length);
  head.copy(message, 0, 0, HEADER_BYTES);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(OP_COMPRESSED, 12);
  message.writeInt32LE(head.readInt32LE(12), HEADER_BYTES);
  message.writeInt32LE(size, HEADER_BYTES + 4);
  message[HEADER_BYTES + 8] = id;
  message.set(packed, HEAD_BYTES);
  return message;
}
