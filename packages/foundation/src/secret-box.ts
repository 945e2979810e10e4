import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Random } from './random.ts';

/** Seals what must be readable again (digest hashes, authority keys), so that the disk never holds it in clear. */
export interface SecretBox {
  /** `context` names what is sealed and where, so that one sealed value cannot stand in for another. */
  seal(clear: string | Uint8Array, context: string): Uint8Array;
  /** Throws when the value was changed, sealed with another key or for another context. */
  open(sealed: Uint8Array, context: string): Buffer;
  /**
   * What only a holder of the secret key can say of a text, as base64url: HMAC-SHA256. `context` names what it
   * is for.
   */
  sign(text: string, context: string): string;
  /** Tells two secret keys apart without telling the key. */
  readonly fingerprint: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. `secretKey` is 32 bytes. */
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

/** Compares two texts in time that does not depend on where they differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
