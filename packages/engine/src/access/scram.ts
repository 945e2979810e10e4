import { createHash, createHmac, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '@portolan/foundation/random';
import type { ScramCredentials, ScramVerifier } from '../interface/engine.ts';
import { type ScramHash, scramDefaults } from './scram-hash.ts';

const derive = promisify(pbkdf2);

/** A password that no driver can send: SASLprep (RFC 4013) forbids what it holds, or leaves nothing of it. */
export class UnusablePassword extends Error {
  override readonly name = 'UnusablePassword';
}

/**
 * The verifiers that an engine keeps in place of a password (RFC 5802, 7677). Throws `UnusablePassword` for control
 * and private characters and mixed directions. Derives keys in the thread pool for about 10 ms.
 */
export async function scramCredentials(
  username: string,
  password: string,
  random: Random,
): Promise<Required<ScramCredentials>> {
  // Drivers hash the password like this before SCRAM-SHA-1, as the mechanism before it did.
  const digest = createHash('md5').update(`${username}:mongo:${password}`).digest('hex');
  const prepared = await preparedPassword(password);
  const [sha1, sha256] = await Promise.all([
    scramVerifier('sha1', digest, random.bytes(scramDefaults.sha1.saltBytes)),
    scramVerifier('sha256', prepared, random.bytes(scramDefaults.sha256.saltBytes)),
  ]);
  return { sha1, sha256 };
}

async function preparedPassword(password: string): Promise<string> {
  // Its tables weigh 10 MB and serve only the making of users.
  const { saslprep } = await import('@mongodb-js/saslprep');
  let prepared = '';
  try {
    // Code points that Unicode 3.2 had not assigned, such as most emoji: drivers that take them send them as they are
    // (RFC 3454, section 7).
    prepared = saslprep(password, { allowUnassigned: true });
  } catch (error) {
    throw new UnusablePassword((error as Error).message);
  }
  if (prepared === '') throw new UnusablePassword('Nothing is left of the password');
  return prepared;
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
