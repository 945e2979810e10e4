import { createHmac } from 'node:crypto';
import type { ScramVerifier } from '../interface/engine.ts';

export type ScramHash = 'sha1' | 'sha256';

/**
 * The iteration counts, and the sizes of salts and keys, that MongoDB uses. They are the same for all users, so that
 * a reply does not reveal whether a user exists.
 */
export const scramDefaults = {
  sha1: { iterations: 10_000, saltBytes: 16, keyBytes: 20 },
  sha256: { iterations: 15_000, saltBytes: 28, keyBytes: 32 },
} as const;

export const mechanisms: ReadonlyMap<string, ScramHash> = new Map([
  ['SCRAM-SHA-1', 'sha1'],
  ['SCRAM-SHA-256', 'sha256'],
]);

/**
 * Creates a verifier that no password matches, for an unknown user. It depends only on the secret and the name. Thus
 * repeated attempts receive the same salt, and do not reveal that the user does not exist.
 */
export function decoyVerifier(hash: ScramHash, secret: string, user: string): ScramVerifier {
  const { iterations, saltBytes, keyBytes } = scramDefaults[hash];
  const derived = (what: string) => createHmac('sha512', secret).update(`${what}\0${hash}\0${user}`).digest();
  return {
    iterations,
    salt: derived('salt').subarray(0, saltBytes).toString('base64'),
    storedKey: derived('stored').subarray(0, keyBytes).toString('base64'),
    serverKey: derived('server').subarray(0, keyBytes).toString('base64'),
  };
}
