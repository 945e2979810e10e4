/* Scores as Lucene 9 computes them: Robertson and Zaragoza, The Probabilistic Relevance Framework, without (k1 + 1). */

export const K1 = 1.2;
export const B = 0.75;

/** How rare a term is: `documents` of `all` documents with the field contain it. */
export function idf(documents: number, all: number): number {
  return Math.log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/** The weight of a term's frequency in a document. */
export function tf(freq: number, length: number, average: number): number {
  return freq / (freq + K1 * (1 - B + (B * length) / average));
}

/** Lucene stores lengths in one byte (`SmallFloat.intToByte4`): exact up to 39, then with four significant bits. */
const FREE = 24;

const decoded = new Int32Array(4096).map((_, length) => decode(encode(length)));

export function decodedLength(length: number): number {
  return length < decoded.length ? (decoded[length] as number) : decode(encode(length));
}

function encode(length: number): number {
  if (length < FREE) return length;
  const rest = length - FREE;
  const bits = 32 - Math.clz32(rest);
  if (bits < 4) return FREE + rest;
  const shift = bits - 4;
  return FREE + (((rest >>> shift) & 0x07) | ((shift + 1) << 3));
}

function decode(byte: number): number {
  if (byte < FREE) return byte;
  const code = byte - FREE;
  const [bits, shift] = [code & 0x07, (code >>> 3) - 1];
  return FREE + (shift === -1 ? bits : (bits | 0x08) << shift);
}
