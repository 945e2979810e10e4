import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A source of randomness. Tests replace it by a reproducible one. */
export interface Random {
  bytes(size: number): Buffer;
  /** Returns an integer from 0 to `limit`, exclusive. */
  integer(limit: number): number;
  uuid(): string;
  /** Returns a random number from 0 to 1, exclusive. It is fast, but not suitable for secrets. */
  fraction(): number;
}

export function systemRandom(): Random {
  return {
    bytes: randomBytes,
    integer: (limit) => randomInt(limit),
    uuid: () => randomUUID(),
    fraction: () => Math.random(),
  };
}

/** Returns `length` random characters of `alphabet`, all with the same probability. */
export function randomText(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[random.integer(alphabet.length)];
  return text;
}

export const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
export const LOWERCASE_AND_DIGITS = `${LOWERCASE}0123456789`;

/** Returns a pseudorandom number from 0 to 1, exclusive, that depends only on the seed and the index (splitmix32). */
export function seededFraction(seed: number, index: number): number {
  let mixed = (seed + Math.imul(index, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
