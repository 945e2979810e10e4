import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Random } from '@portolan/foundation/random';

/** Lifetime of a nonce (docs/contract/access.md 1.1). */
export const NONCE_LIFETIME_MS = 60_000;

export const NONCE_KEY_BYTES = 32;

/**
 * A nonce is 24 bytes in base64, 32 characters: creation time, randomness, and a truncated signature of both.
 */
const TIME_BYTES = 6;
const RANDOM_BYTES = 6;
const BODY_BYTES = TIME_BYTES + RANDOM_BYTES;
const MAC_BYTES = 12;
const noncePattern = /^[A-Za-z0-9+/]{32}$/;

/** Creates and verifies nonces without storing them. Any instance with the same key can verify them. */
export interface Nonces {
  make(): string;
  /** Returns the creation time in milliseconds of the given clock; undefined for a nonce without a valid signature. */
  madeAt(nonce: string): number | undefined;
}

export function nonces(key: Uint8Array, now: () => number, random: Random): Nonces {
  // Create a key object once: signing then takes 2 µs instead of 12 µs.
  const secret = createSecretKey(key);
  const sign = (body: Uint8Array) =>
    createHmac('sha256', secret).update(body).digest().subarray(0, MAC_BYTES);
  return {
    make() {
      const body = Buffer.alloc(BODY_BYTES);
      body.writeUIntBE(Math.floor(now()), 0, TIME_BYTES);
      body.set(random.bytes(RANDOM_BYTES), TIME_BYTES);
      return Buffer.concat([body, sign(body)]).toString('base64');
    },
    madeAt(nonce) {
      if (!noncePattern.test(nonce)) return undefined;
      const bytes = Buffer.from(nonce, 'base64');
      const body = bytes.subarray(0, BODY_BYTES);
      return timingSafeEqual(sign(body), bytes.subarray(BODY_BYTES))
        ? body.readUIntBE(0, TIME_BYTES)
        : undefined;
    },
  };
}
