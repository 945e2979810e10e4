const table = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  // 0x82f63b78 is the Castagnoli polynomial with reversed bits (RFC 3720, appendix B.4).
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/**
 * Computes the checksum of an OP_MSG as an unsigned 32-bit integer. `zlib.crc32` cannot be used, because its polynomial
 * differs.
 */
export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff;
  // Use an indexed loop, because an iterator over 48 MB takes ten times as long.
  for (let i = 0; i < bytes.length; i++) {
    value = (table[(value ^ (bytes[i] as number)) & 0xff] as number) ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
