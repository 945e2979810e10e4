import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the one-time code of a secret in Base32 (RFC 6238). The code is that of the current time step, or of the step
 * that is `ahead` steps later.
 */
export function codeOf(secret: string, ahead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + ahead));
  const digest = createHmac('sha1', decoded(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** Returns a code that is wrong now and in the next minutes. */
export function wrongCode(secret: string): string {
  const right = new Set(Array.from({ length: 41 }, (_, index) => codeOf(secret, index - 20)));
  const codes = Array.from({ length: 42 }, (_, index) => String(index).padStart(6, '0'));
  return codes.find((code) => !right.has(code)) ?? '';
}

function decoded(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
