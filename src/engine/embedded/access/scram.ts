import { createHash, createHmac, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../../../runtime/random.ts';
import type { ScramCredentials, ScramVerifier } from '../../engine.ts';
import { type ScramHash, scramDefaults } from './scram-hash.ts';

const derive = promisify(pbkdf2);

/**
 * The verifiers that an engine keeps in place of a password (RFC 5802, 7677). Throws when the password holds
 * characters that SASLprep forbids, such as control characters. Derives keys in the thread pool for about 10 ms.
 */
export async function scramCredentials(
  username: string,
  password: string,
  random: Random,
): Promise<Required<ScramCredentials>> {
  // Drivers hash the password like this before SCRAM-SHA-1, as the mechanism before it did.
  const digest = createHash('md5').update(`${username}:mongo:${password}`).digest('hex');
  // Its tables weigh 10 MB and serve only the making of users.
  const { saslprep } = await import('@mongodb-js/saslprep');
  const prepared = saslprep(password);
  const [sha1, sha256] = await Promise.all([
    scramVerifier('sha1', digest, random.bytes(scramDefaults.sha1.saltBytes)),
    scramVerifier('sha256', prepared, random.bytes(scramDefaults.sha256.saltBytes)),
  ]);
  return { sha1, sha256 };
}

export async function scramVerifier(
  hash: ScramHash,
  password: string,
  salt: Uint8Array,
  iterations: number = scramDefaults[hash].iterations,
): Promise<ScramVerifier> {
  const salted = await derive(password, salt, iterations, scramDefaults[hash].keyBytes, hash);
  const clientKey = createHmac(hash, salted).update('Client Key').digest();
  return {
    iterations,
    salt: Buffer.from(salt).toString('base64'),
    storedKey: createHash(hash).update(clientKey).digest('base64'),
    serverKey: createHmac(hash, salted).update('Server Key').digest('base64'),
  };
}
