import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { createRequire } from 'node:module';
import { mechanisms, type ScramHash, scramDefaults } from '../../access/scram-hash.ts';
import type { StoredVerifier } from '../../access/stored-accounts.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { converted, listOf, notEmpty, text } from '../shared/field-builders.ts';

export interface Password {
  readonly username: string;
  readonly password: string;
  /** False if `password` is already the digest for SCRAM-SHA-1, which the client has computed. */
  readonly digest: boolean;
  readonly mechanisms: readonly string[];
}

/** Returns the stored credentials for a password, by mechanism. Takes about 10 ms. */
export function credentialsOf(
  { username, password, digest, mechanisms: wanted }: Password,
  cluster: ClusterContext,
): Record<string, StoredVerifier> {
  return Object.fromEntries(
    wanted.map((mechanism) => {
      const hash = mechanisms.get(mechanism) as ScramHash;
      if (hash === 'sha256' && !digest) {
        throw new ServerError('BadValue', 'Use of SCRAM-SHA-256 requires undigested passwords');
      }
      const secret =
        hash === 'sha256' ? prepared(password) : digest ? digested(username, password) : password;
      const parameter = hash === 'sha256' ? 'scramSHA256IterationCount' : 'scramIterationCount';
      const salt = cluster.random.bytes(scramDefaults[hash].saltBytes);
      return [mechanism, verifier(hash, secret, salt, Number(cluster.parameters.value(parameter)))];
    }),
  );
}

/**
 * Returns the digest that SCRAM-SHA-1 uses in place of the password. Drivers compute the same digest, which comes from
 * the older mechanism MONGODB-CR.
 */
function digested(username: string, password: string): string {
  return createHash('md5').update(`${username}:mongo:${password}`).digest('hex');
}

/**
 * Applies SASLprep, which leaves printable ASCII unchanged. Its 10 MB of tables are loaded only for other characters.
 */
function prepared(password: string): string {
  if (/^[\x20-\x7e]*$/.test(password)) return password;
  try {
    const { saslprep } = createRequire(import.meta.url)('@mongodb-js/saslprep');
    return saslprep(password);
  } catch (error) {
    throw new ServerError('BadValue', `Error preflighting normalization: ${(error as Error).message}`);
  }
}

function verifier(hash: ScramHash, password: string, salt: Buffer, iterationCount: number): StoredVerifier {
  const salted = pbkdf2Sync(password, salt, iterationCount, scramDefaults[hash].keyBytes, hash);
  const clientKey = createHmac(hash, salted).update('Client Key').digest();
  return {
    iterationCount,
    salt: salt.toString('base64'),
    storedKey: createHash(hash).update(clientKey).digest('base64'),
    serverKey: createHmac(hash, salted).update('Server Key').digest('base64'),
  };
}

const mechanism = converted(
  text(() => new ServerError('BadValue', 'mechanisms field must be an array of strings')),
  (name) => {
    if (mechanisms.has(name)) return name;
    throw new ServerError('BadValue', `Unknown auth mechanism '${name}'`);
  },
);

/** The mechanisms of a user. */
export const mechanismList = notEmpty(
  listOf(mechanism),
  () => new ServerError('BadValue', 'mechanisms field must not be empty'),
);

/** Returns the mechanisms of a user. By default, a user has all mechanisms. */
export function mechanismsIn(named: readonly string[] | undefined, digest = true): string[] {
  if (named === undefined) return digest ? [...mechanisms.keys()] : ['SCRAM-SHA-1'];
  return [...new Set(named)];
}
