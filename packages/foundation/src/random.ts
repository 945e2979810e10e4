import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Randomness behind a seam, so that tests can repeat it. */
export interface Random {
  bytes(size: number): Buffer;
  /** A whole number, 0 inclusive to `limit` exclusive. */
  integer(limit: number): number;
  uuid(): string;
  /** From 0 up to 1: quick, and not for secrets. */
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

/** From 0 to below 1: the same for the same seed and number, whoever asks (splitmix32). */
export function drawn(seed: number, number: number): number {
  let mixed = (seed + Math.imul(number, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
