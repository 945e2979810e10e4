import { createPublicKey, type KeyObject } from 'node:crypto';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { CLIENT_ID_PATTERN } from '../secrets.ts';

/** Lifetime of an access token: one hour (docs/contract/access.md 1.3). */
export const TOKEN_LIFETIME_S = 3600;

const ALGORITHM = 'EdDSA';
const TYPE = 'at+jwt';
const ISSUER = 'portolan';
const SECRET_CLAIM = 'secret';

/** The claims of a valid access token. */
export interface TokenClaims {
  readonly id: string;
  readonly clientId: string;
  /** Id of the secret with which the token was requested. */
  readonly secretId: string;
  /** Expiry in milliseconds of machine time. */
  readonly expiresAt: number;
}

/** Signs and reads access tokens; callers treat them as opaque. */
export interface TokenSigner {
  issue(clientId: string, secretId: string): Promise<string>;
  /**
   * Returns the claims of a token, `expired` for an expired token, or undefined for any other invalid token.
   */
  read(token: string): Promise<TokenClaims | 'expired' | undefined>;
  /**
   * Returns the client id in a token without verifying the signature; undefined if the token contains none.
   */
  claimedClient(token: string): Promise<string | undefined>;
}

export function tokenSigner(key: KeyObject, machine: MachineClock, random: Random): TokenSigner {
  const publicKey = createPublicKey(key);
  return {
    async issue(clientId, secretId) {
      const { SignJWT } = await import('jose/jwt/sign');
      const now = Math.floor(machine.now() / 1000);
      return new SignJWT({ [SECRET_CLAIM]: secretId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setSubject(clientId)
        .setJti(random.bytes(16).toString('hex'))
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_LIFETIME_S)
        .sign(key);
    },
    async read(token) {
      const { jwtVerify } = await import('jose/jwt/verify');
      const checks = {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        currentDate: new Date(machine.now()),
      };
      // The library checks the expiry last. A token that fails only this check has a valid signature.
      const verified = await jwtVerify(token, publicKey, checks).catch(({ code }: { code?: string }) =>
        code === 'ERR_JWT_EXPIRED' ? 'expired' : undefined,
      );
      if (verified === 'expired') return verified;
      const { jti, sub, exp, [SECRET_CLAIM]: secretId } = verified?.payload ?? {};
      if (jti === undefined || sub === undefined || exp === undefined) return undefined;
      if (typeof secretId !== 'string') return undefined;
      return { id: jti, clientId: sub, secretId, expiresAt: exp * 1000 };
    },
    async claimedClient(token) {
      const { decodeJwt } = await import('jose/jwt/decode');
      try {
        const { sub } = decodeJwt(token);
        return sub !== undefined && CLIENT_ID_PATTERN.test(sub) ? sub : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
