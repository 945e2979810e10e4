import { hash } from 'node:crypto';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Caller } from '../caller.ts';
import type { Credentials } from '../credentials.ts';
import { accessFaults } from '../faults.ts';
import type { RequestFacts } from '../request.ts';
import { tooManyAttempts, type WrongCredentials } from '../wrong-credentials.ts';
import type { TokenClaims, TokenSigner } from './jwt.ts';

/** Number of cached tokens with verified signature; at some 500 bytes each this is 5 MB. */
const MAX_KNOWN = 10_000;

/** Maximum length of a token. Issued tokens have about 300 characters. */
const MAX_TOKEN = 2048;

export interface BearerParts {
  readonly signer: TokenSigner;
  readonly credentials: Credentials;
  readonly wrong: WrongCredentials;
  readonly machine: MachineClock;
  readonly clock: ServiceClock;
}

/**
 * Returns a function that returns the caller to whom an access token belongs. The function throws `UNAUTHORIZED` for
 * an invalid token, and `RATE_LIMITED` after too many wrong tokens.
 */
export function bearerAuthenticator({ signer, credentials, wrong, machine, clock }: BearerParts) {
  const known = new BoundedCache<string, TokenClaims>({ entries: MAX_KNOWN });

  function knownClaims(token: string): TokenClaims | undefined {
    const cached = known.get(token);
    return cached && cached.expiresAt > machine.now() ? cached : undefined;
  }

  async function claimsOf(token: string): Promise<TokenClaims | 'expired' | undefined> {
    known.delete(token);
    if (token.length > MAX_TOKEN) return undefined;
    const claims = await signer.read(token);
    if (claims !== undefined && claims !== 'expired') known.set(token, claims);
    return claims;
  }

  /**
   * Returns the caller of a token with these claims. Undefined if the token was revoked, its account or secret was
   * deleted, or its secret has expired.
   */
  async function callerWith(claims: TokenClaims): Promise<Caller | undefined> {
    const { revokedTokens, serviceAccounts } = credentials;
    const revoked = revokedTokens.peek(claims.id) ?? (await revokedTokens.get(claims.id));
    if (revoked) return undefined;
    const account = serviceAccounts.peek(claims.clientId) ?? (await serviceAccounts.get(claims.clientId));
    const secretEnds = account?.secrets.get(claims.secretId) ?? 0;
    return secretEnds > clock.now().getTime() ? account?.caller : undefined;
  }

  /**
   * Returns the name under which a forged token is counted: the client id in the token or, if the token cannot be read,
   * a hash of the token.
   */
  async function nameOf(token: string): Promise<string> {
    const client = token.length > MAX_TOKEN ? undefined : await signer.claimedClient(token);
    return `token of ${client ?? hash('sha256', token, 'base64url')}`;
  }

  return async (request: RequestFacts, token: string): Promise<Caller> => {
    const claims = knownClaims(token) ?? (await claimsOf(token));
    if (claims !== undefined) {
      const caller = claims === 'expired' ? undefined : await callerWith(claims);
      if (caller) return caller;
      // Do not count an expired token: a client may send several requests with the old token before it requests a new
      // token.
      throw accessFaults.UNAUTHORIZED();
    }
    const name = await nameOf(token);
    // Do not await anything between this check and the counting, so that concurrent attempts are counted one by one.
    // Valid tokens were accepted above, regardless of the number of failed attempts, because an attacker cannot guess
    // their signatures.
    const wait = wrong.waitFor(name, request.address);
    if (wait > 0) throw tooManyAttempts(request, wait);
    await wrong.count(name, request.address);
    throw accessFaults.UNAUTHORIZED();
  };
}
