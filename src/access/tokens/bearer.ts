import type { MachineClock } from '../../runtime/clock.ts';
import type { Caller } from '../caller.ts';
import { type Credentials, cacheKeys } from '../credentials.ts';
import { accessFaults } from '../faults.ts';
import type { TokenClaims, TokenSigner } from './jwt.ts';

/** Tokens whose signature need not be checked again; at some 500 bytes each this is 5 MB. */
const MAX_KNOWN = 10_000;

/** Longest token that is looked at; ours have some 300 characters. */
const MAX_TOKEN = 2048;

/** Tells who calls with an access token. Throws `UNAUTHORIZED`. */
export function bearerAuthenticator(signer: TokenSigner, credentials: Credentials, machine: MachineClock) {
  const known = new Map<string, TokenClaims>();

  async function claimsOf(token: string): Promise<TokenClaims | undefined> {
    const cached = known.get(token);
    if (cached) return cached.expiresAt > machine.now() ? cached : void known.delete(token);
    if (token.length > MAX_TOKEN) return undefined;
    const claims = await signer.read(token);
    if (claims) remember(token, claims);
    return claims;
  }

  function remember(token: string, claims: TokenClaims): void {
    known.set(token, claims);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  return async (token: string): Promise<Caller> => {
    const claims = await claimsOf(token);
    if (!claims) throw accessFaults.UNAUTHORIZED();
    const revoked = await credentials.revokedTokens.get(cacheKeys.token(claims.id));
    const account = revoked
      ? undefined
      : await credentials.serviceAccounts.get(cacheKeys.clientId(claims.clientId));
    if (!account?.secrets.has(claims.secretId)) throw accessFaults.UNAUTHORIZED();
    return account.caller;
  };
}
