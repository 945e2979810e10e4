import type { Random } from '@portolan/foundation/random';
import { type SecretBox, sameText } from '@portolan/foundation/secret-box';
import { codec, type ReadTx, type Tx } from '../store/index.ts';
import { cacheKeys, sealContext } from './credentials.ts';
import { REALM } from './digest/digest.ts';
import type { DigestAlgorithm } from './digest/header.ts';
import { ha1 } from './digest/response.ts';
import { findApiKey, insertApiKey, insertSecret, insertServiceAccount } from './rows.ts';
import {
  clientIdOf,
  hashSecret,
  maskClientSecret,
  maskPrivateKey,
  newClientSecret,
  newPublicKey,
  PRIVATE_KEY_PATTERN,
  PUBLIC_KEY_PATTERN,
} from './secrets.ts';

/** What the functions that create principals need in addition to the transaction. */
export interface PrincipalDependencies {
  readonly random: Random;
  readonly secrets: SecretBox;
}

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface NewApiKey extends KeyPair {
  readonly id: string;
  /** The private key in clear text, returned only at creation. */
  readonly privateKey: string;
}

/**
 * Creates an API key without roles; `grantRole` adds roles. `pair` sets the public and the private key, which are
 * random by default.
 */
export async function createApiKey(
  tx: Tx,
  making: PrincipalDependencies,
  input: { readonly orgId: string; readonly description: string; readonly pair?: KeyPair | undefined },
): Promise<NewApiKey> {
  const { random, secrets } = making;
  const { publicKey, privateKey } = input.pair ?? {
    publicKey: await unusedPublicKey(tx, random),
    privateKey: random.uuid(),
  };
  assertKeyPair({ publicKey, privateKey });
  const id = tx.id();
  const sealedHa1 = (algorithm: DigestAlgorithm) =>
    secrets.seal(ha1(algorithm, publicKey, REALM, privateKey), sealContext.ha1(algorithm, id));
  await insertApiKey(tx, {
    id,
    org_id: input.orgId,
    public_key: publicKey,
    description: input.description,
    private_key_mask: maskPrivateKey(privateKey),
    ha1_md5: sealedHa1('MD5'),
    ha1_sha256: sealedHa1('SHA-256'),
    created_at: codec.date.write(tx.now),
  });
  tx.touch(cacheKeys.publicKey(publicKey));
  return { id, publicKey, privateKey };
}

/** Whether the private key matches the public key; undefined if the public key does not exist. */
export async function isKeyPair(
  tx: ReadTx,
  { secrets }: PrincipalDependencies,
  pair: KeyPair,
): Promise<boolean | undefined> {
  const row = await findApiKey(tx, pair.publicKey);
  if (!row) return undefined;
  const known = secrets.open(row.ha1_sha256, sealContext.ha1('SHA-256', row.id)).toString();
  return sameText(known, ha1('SHA-256', pair.publicKey, REALM, pair.privateKey));
}

/** Throws a TypeError for an invalid key pair. */
export function assertKeyPair({ publicKey, privateKey }: KeyPair): void {
  if (!PUBLIC_KEY_PATTERN.test(publicKey)) throw new TypeError('A public key has eight letters a to z');
  if (!PRIVATE_KEY_PATTERN.test(privateKey)) throw new TypeError('A private key is a UUID in lowercase');
}

async function unusedPublicKey(tx: Tx, random: Random): Promise<string> {
  for (;;) {
    const publicKey = newPublicKey(random);
    if (!(await findApiKey(tx, publicKey))) return publicKey;
  }
}

export interface NewServiceAccount {
  readonly clientId: string;
  readonly secret: NewSecret;
}

export interface NewSecret {
  readonly id: string;
  /** The secret in clear text, returned only at creation. */
  readonly clear: string;
}

/** Creates a service account with one secret and without roles; `grantRole` adds roles by client id. */
export async function createServiceAccount(
  tx: Tx,
  making: PrincipalDependencies,
  input: {
    readonly orgId: string;
    readonly name: string;
    readonly description: string;
    /** The expiry of the secret in service time; by default, the secret does not expire. */
    readonly secretExpiresAt?: Date | undefined;
  },
): Promise<NewServiceAccount> {
  const clientId = clientIdOf(tx.id());
  await insertServiceAccount(tx, {
    id: clientId,
    org_id: input.orgId,
    name: input.name,
    description: input.description,
    created_at: codec.date.write(tx.now),
  });
  tx.touch(cacheKeys.clientId(clientId));
  return { clientId, secret: await addSecret(tx, making, clientId, input.secretExpiresAt) };
}

/** Adds a secret to a service account. `expiresAt` is service time; by default the secret does not expire. */
export async function addSecret(
  tx: Tx,
  making: PrincipalDependencies,
  clientId: string,
  expiresAt?: Date,
): Promise<NewSecret> {
  const id = tx.id();
  const clear = newClientSecret(making.random);
  await insertSecret(tx, {
    id,
    service_account_id: clientId,
    hash: making.secrets.seal(hashSecret(clear), sealContext.secretHash(id)),
    mask: maskClientSecret(clear),
    created_at: codec.date.write(tx.now),
    expires_at: codec.optionalDate.write(expiresAt),
    last_used_at: null,
  });
  tx.touch(cacheKeys.principal(clientId));
  return { id, clear };
}
