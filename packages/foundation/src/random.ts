import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A source of randomness, which tests replace by a reproducible one. */
export interface Random {
  bytes(size: number): Buffer;
  /** A whole number from 0 inclusive to `limit` exclusive. */
  integer(limit: number): number;
  uuid(): string;
  /** A number from 0 inclusive to 1 exclusive: fast, but not fit for secrets. */
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

/** `length` characters drawn evenly from `alphabet`. */
export function randomText(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[random.integer(alphabet.length)];
  return text;
}

export const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
export const LOWERCASE_AND_DIGITS = `${LOWERCASE}0123456789`;

/** A pseudorandom number from 0 inclusive to 1 exclusive, determined by the seed and the index (splitmix32). */
export function seededFraction(seed: number, index: number): number {
  let mixed = (seed + Math.imul(index, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
