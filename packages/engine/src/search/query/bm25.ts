/*
 * BM25 scores as Lucene 9 computes them: Robertson and Zaragoza, The Probabilistic Relevance Framework, without the
 * factor (k1 + 1).
 */

export const K1 = 1.2;
export const B = 0.75;

/**
 * Inverse document frequency. `documents` is the number of documents that contain the term, and `all` is the
 * number of documents that have the field.
 */
export function idf(documents: number, all: number): number {
  return Math.log(1 + (all - documents + 0.5) / (documents + 0.5));
}

const { fround } = Math;
const [k1, rest] = [fround(K1), fround(1 - B)];

/**
 * Returns the score of a term. `weight` combines its inverse document frequency and the boost. The function rounds to
 * 32 bits at the same points as Lucene, so that scores are equal to the last digit.
 */
export function termScore(weight: number, freq: number, length: number, average: number): number {
  const relative = fround(fround(B * length) / fround(average));
  const inverse = fround(1 / fround(k1 * fround(rest + relative)));
  return fround(weight - fround(weight / fround(1 + fround(freq * inverse))));
}

/**
 * Lengths below this number are their own code in Lucene's one-byte encoding (`SmallFloat.intToByte4`). For greater
 * lengths, the encoding keeps four significant bits of the length minus this number. So it is exact up to 39.
 */
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
