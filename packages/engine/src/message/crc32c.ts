import { setImmediate } from 'node:timers/promises';

const table = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  // 0x82f63b78 is the Castagnoli polynomial with reversed bits (RFC 3720, appendix B.4).
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** The checksum of no bytes, from which `crc32c` starts. */
const EMPTY = 0;
/**
 * Number of bytes after which a long computation lets other connections run. The checksum of these bytes takes about 6
 * ms.
 */
const TURN_BYTES = 1_048_576;

/**
 * Computes the checksum of an OP_MSG as an unsigned 32-bit integer. `before` is the checksum of the bytes that precede
 * `bytes`. `zlib.crc32` cannot be used, because its polynomial differs.
 */
export function crc32c(bytes: Uint8Array, before = EMPTY): number {
  let value = ~before;
  // Use an indexed loop, because an iterator over 48 MB takes ten times as long.
  for (let i = 0; i < bytes.length; i++) {
    value = (table[(value ^ (bytes[i] as number)) & 0xff] as number) ^ (value >>> 8);
  }
  return ~value >>> 0;
}

/** Like `crc32c`. If there are many bytes, computes the checksum in parts, between which other work can run. */
export function crc32cInTurns(bytes: Uint8Array): number | Promise<number> {
  return bytes.length <= TURN_BYTES ? crc32c(bytes) : inTurns(bytes);
}

async function inTurns(bytes: Uint8Array): Promise<number> {
  let checksum = EMPTY;
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    checksum = crc32c(bytes.subarray(at, at + TURN_BYTES), checksum);
    await setImmediate();
  }
  return checksum;
}
