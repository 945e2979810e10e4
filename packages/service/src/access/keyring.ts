import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Random } from '@portolan/foundation/random';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { type Store, settings } from '../store/index.ts';

/**
 * Keys shared by all instances of a store. The first instance creates them, and they are stored encrypted.
 */
export interface Keyring {
  /** The key of 32 bytes that signs nonces. */
  readonly nonce: Buffer;
  /** The Ed25519 key that signs access tokens. */
  readonly token: KeyObject;
}

const NONCE_KEY_BYTES = 32;

export async function openKeyring(store: Store, secrets: SecretBox, random: Random): Promise<Keyring> {
  const [nonce, token] = await Promise.all([
    settings.ensureSealed(store, secrets, 'key/nonce', () => random.bytes(NONCE_KEY_BYTES)),
    settings.ensureSealed(store, secrets, 'key/token', newSigningKey),
  ]);
  return { nonce, token: createPrivateKey({ key: token, format: 'der', type: 'pkcs8' }) };
}

function newSigningKey(): Buffer {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
}
