import { hash } from 'node:crypto';
import { LOWERCASE, type Random, randomText } from '@portolan/foundation/random';

/** This file defines the formats of credentials (docs/contract/access.md 1.2, 1.3). */

export const PUBLIC_KEY_PATTERN = /^[a-z]{8}$/;
export const PRIVATE_KEY_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const CLIENT_ID_PATTERN = /^db_sa_id_[0-9a-f]{24}$/;

const CLIENT_ID_PREFIX = 'db_sa_id_';
const CLIENT_SECRET_PREFIX = 'db_sa_sk_';
const CLIENT_SECRET_ALPHABET = `${LOWERCASE}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-`;
const CLIENT_SECRET_LENGTH = 40;
const SHOWN_CHARACTERS = 4;

export const newPublicKey = (random: Random) => randomText(random, LOWERCASE, 8);

/** Returns the client id of a service account. `id` comes from `tx.id()`. */
export const clientIdOf = (id: string) => `${CLIENT_ID_PREFIX}${id}`;

/** Returns a prefix followed by `CLIENT_SECRET_LENGTH` random characters. */
export function newToken(random: Random, prefix: string): string {
  return prefix + randomText(random, CLIENT_SECRET_ALPHABET, CLIENT_SECRET_LENGTH);
}

export const newClientSecret = (random: Random) => newToken(random, CLIENT_SECRET_PREFIX);

/** Masks a private key, which has the form of a UUID, except for its last group. */
export function maskPrivateKey(privateKey: string): string {
  return `********-****-****-${privateKey.slice(-12)}`;
}

export function maskClientSecret(secret: string): string {
  const hidden = secret.length - CLIENT_SECRET_PREFIX.length - SHOWN_CHARACTERS;
  return CLIENT_SECRET_PREFIX + '*'.repeat(hidden) + secret.slice(-SHOWN_CHARACTERS);
}

/**
 * Returns the hash of a generated secret: 32 bytes, which are stored encrypted. A slow password hash would
 * add no security, because a secret has 240 random bits: 40 characters, each out of 64.
 */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
