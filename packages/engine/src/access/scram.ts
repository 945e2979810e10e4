import { createHash, createHmac, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '@portolan/foundation/random';
import type { ScramCredentials, ScramVerifier } from '../interface/engine.ts';
import { type ScramHash, scramDefaults } from './scram-hash.ts';

const derive = promisify(pbkdf2);

/**
 * A password that drivers cannot send: SASLprep (RFC 4013) prohibits some of its characters, or maps it to an empty
 * text.
 */
export class UnusablePassword extends Error {
  override readonly name = 'UnusablePassword';
}

/**
 * Returns the verifiers that an engine stores in place of a password (RFC 5802, 7677). Throws `UnusablePassword` for
 * control characters, private-use characters and mixed text directions. Key derivation takes about 10 ms in the thread
 * pool.
 */
export async function scramCredentials(
  username: string,
  password: string,
  random: Random,
): Promise<Required<ScramCredentials>> {
  // For SCRAM-SHA-1, drivers first hash the password as in the older mechanism MONGODB-CR.
  const digest = createHash('md5').update(`${username}:mongo:${password}`).digest('hex');
  const prepared = await preparedPassword(password);
  const [sha1, sha256] = await Promise.all([
    scramVerifier('sha1', digest, random.bytes(scramDefaults.sha1.saltBytes)),
    scramVerifier('sha256', prepared, random.bytes(scramDefaults.sha256.saltBytes)),
  ]);
  return { sha1, sha256 };
}

async function preparedPassword(password: string): Promise<string> {
  // Load this on first use: the tables of SASLprep take 10 MB, and are needed only to create users.
  const { saslprep } = await import('@mongodb-js/saslprep');
  let prepared = '';
  try {
    // Allow code points that Unicode 3.2 does not assign, such as most emoji. Drivers that accept such code points send
    // them unchanged (RFC 3454, section 7).
    prepared = saslprep(password, { allowUnassigned: true });
  } catch (error) {
    throw new UnusablePassword((error as Error).message);
  }
  if (prepared === '') throw new UnusablePassword('The password is empty after SASLprep');
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
