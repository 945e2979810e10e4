import { LOWERCASE, type Random, randomText } from '@portolan/foundation/random';
import { Secret, TOTP } from 'otpauth';
import { hashSecret } from '../../../access/index.ts';

/**
 * This file implements RFC 6238 with the values that all authenticator apps support: SHA-1, six digits, 30
 * seconds.
 */
const ISSUER = 'Portolan';
const SECRET_BYTES = 20;
/**
 * How many time steps before and after the current step are accepted, since clocks differ and people take time to type.
 */
const WINDOW = 1;

const RECOVERY_CODES = 10;
/**
 * A recovery code has 16 characters out of 32 letters and digits. These are 80 random bits, so that a fast hash
 * function is safe.
 */
const RECOVERY_LENGTH = 16;
/** Letters and digits, without the letters that look like a digit or like another letter. */
const RECOVERY_ALPHABET = `${LOWERCASE.replaceAll(/[ilou]/g, '')}0123456789`;
const GROUPS = /.{4}(?=.)/g;

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret) });

/** Returns a new secret in Base32, as apps expect it. */
export const newCodeSecret = (random: Random): string =>
  new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer }).base32;

/** Returns the URL that apps read, usually as a QR code. */
export const codeUrl = (secret: string, username: string): string => totpOf(secret, username).toString();

/** Returns the time step to which a code belongs; undefined for a wrong code. `now` is machine time. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    randomText(random, RECOVERY_ALPHABET, RECOVERY_LENGTH).replaceAll(GROUPS, '$&-'),
  );
}

/** Returns the hash of a recovery code. Case, spaces and hyphens in the code do not affect the hash. */
export const hashRecoveryCode = (code: string): string =>
  hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, '')).toString('base64url');
