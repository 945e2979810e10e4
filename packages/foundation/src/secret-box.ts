import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Random } from './random.ts';

/** Encrypts secrets that must be readable later, such as digest hashes and authority keys, for storage on disk. */
export interface SecretBox {
  /** Encrypts a value. `context` names its kind and location, so that one sealed value cannot replace another. */
  seal(clear: string | Uint8Array, context: string): Uint8Array;
  /** Decrypts a value. Throws if it was changed, or sealed with another key or context. */
  open(sealed: Uint8Array, context: string): Buffer;
  /**
   * Returns the HMAC-SHA256 of a text as base64url. Only a holder of the secret key can compute it. `context` names the
   * purpose.
   */
  sign(text: string, context: string): string;
  /** A text that identifies the secret key without revealing it. */
  readonly fingerprint: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM. A sealed value consists of a nonce of 12 bytes, a tag of 16 bytes and the ciphertext.
 * `secretKey` has 32 bytes.
 */
export function secretBox(secretKey: Uint8Array, random: Random): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'portolan seal v1', 32));
  const signing = Buffer.from(hkdfSync('sha256', secretKey, '', 'portolan sign v1', 32));
  return {
    seal(clear, context) {
      const iv = random.bytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(clear), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    },
    sign: (text, context) =>
      createHmac('sha256', signing)
        .update(JSON.stringify([context, text]))
        .digest('base64url'),
    fingerprint: createHmac('sha256', key).update('fingerprint').digest('hex').slice(0, 32),
  };
}

/** Compares two texts in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
