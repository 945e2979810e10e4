import type { ServiceClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Store } from '../../store/index.ts';
import { cacheKeys } from '../credentials.ts';
import { REALM } from '../digest/digest.ts';
import type { LastUses } from '../last-uses/last-uses.ts';
import { insertRevokedToken } from '../rows.ts';
import type { WrongCredentials } from '../wrong-credentials.ts';
import { clientAuthenticator, type GoodSecret, parseBasic } from './client.ts';
import { TOKEN_LIFETIME_S, type TokenSigner } from './jwt.ts';

/** One request to `POST /api/oauth/token` or `POST /api/oauth/revoke`. */
export interface OAuthRequest {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** The body as text. The HTTP layer limits its size. */
  readonly body: string;
  /** The caller's address, from `callerAddress`. */
  readonly address: string;
}

/**
 * The response. The query parameters `envelope` and `pretty` apply to its document as in other operations.
 */
export interface OAuthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly document?: Readonly<Record<string, string | number>>;
}

export interface OAuthEndpoints {
  token(request: OAuthRequest): Promise<OAuthAnswer>;
  revoke(request: OAuthRequest): Promise<OAuthAnswer>;
}

export interface OAuthParts {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly random: Random;
  readonly wrong: WrongCredentials;
  readonly signer: TokenSigner;
  readonly uses: LastUses;
  readonly clock: ServiceClock;
}

/** A client with verified credentials. */
interface KnownClient {
  readonly id: string;
  /** The secret that the caller sent. */
  readonly secret: GoodSecret;
}

/** Responses with a token must not be cached (RFC 6749 section 5.1). */
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/**
 * Creates the endpoints for client credentials (RFC 6749 section 4.4) and revocation (RFC 7009), as in
 * docs/contract/access.md 1.3.
 */
export function oauthEndpoints(parts: OAuthParts): OAuthEndpoints {
  const { store, wrong, signer } = parts;
  const authenticate = clientAuthenticator(parts);

  /** Runs `answer` for the authenticated client, or returns the authentication error. */
  async function forClient(
    request: OAuthRequest,
    answer: (client: KnownClient, form: ReadonlyMap<string, string>) => Promise<OAuthAnswer>,
  ): Promise<OAuthAnswer> {
    const form = parseForm(request);
    if (typeof form === 'string') return oauthError(400, 'invalid_request', form);
    const given = parseBasic(request.authorization);
    if (!given) return invalidClient('Client id and secret are expected as HTTP Basic credentials.');
    const secret = await authenticate(given);
    // Do not await anything between this check and the counting. Otherwise, concurrent attempts could pass the check
    // before they are counted.
    const wait = wrong.waitFor(given.id, request.address);
    if (wait > 0) return tooManyAttempts(wait);
    if (secret !== undefined) return answer({ id: given.id, secret }, form);
    await wrong.count(given.id, request.address);
    return invalidClient('The client id or the secret is wrong, or the secret has expired.');
  }

  return {
    token: (request) =>
      forClient(request, async (client, form) => {
        const grant = form.get('grant_type');
        if (grant === undefined) return oauthError(400, 'invalid_request', 'grant_type is missing.');
        if (grant !== 'client_credentials') {
          return oauthError(400, 'unsupported_grant_type', 'The only grant type is client_credentials.');
        }
        const token = await signer.issue(client.id, client.secret.id);
        parts.uses.recordSecret(client.secret.id);
        const document = {
          access_token: token,
          expires_in: lifetimeOf(client.secret, parts.clock),
          token_type: 'Bearer',
        };
        return { status: 200, headers: noStore, document };
      }),

    revoke: (request) =>
      forClient(request, async (client, form) => {
        const token = form.get('token');
        if (token === undefined) return oauthError(400, 'invalid_request', 'token is missing.');
        const claims = await signer.read(token);
        // Revoking an unknown or expired token succeeds (RFC 7009 section 2.2).
        if (claims === undefined || claims === 'expired') return { status: 200, headers: noStore };
        if (claims.clientId !== client.id) {
          return oauthError(400, 'invalid_grant', 'The token was issued to another client.');
        }
        await store.write(async (tx) => {
          await insertRevokedToken(tx, { id: claims.id, expires_at: claims.expiresAt });
          tx.touch(cacheKeys.token(claims.id));
        });
        return { status: 200, headers: noStore };
      }),
  };
}

/** Returns the lifetime of a token in seconds. A token expires no later than the secret that obtained it. */
function lifetimeOf({ expires_at }: GoodSecret, clock: ServiceClock): number {
  if (expires_at === null) return TOKEN_LIFETIME_S;
  return Math.min(TOKEN_LIFETIME_S, Math.ceil(clock.until(new Date(expires_at)) / 1000));
}

/**
 * Returns the fields of the form, or an error message. Fields must not repeat (RFC 6749 section 3.2); empty fields
 * count as absent.
 */
function parseForm(request: OAuthRequest): ReadonlyMap<string, string> | string {
  const mediaType = request.contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') {
    return 'The body must be of type application/x-www-form-urlencoded.';
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(request.body)) {
    if (fields.has(name)) return `${name} is repeated.`;
    fields.set(name, value);
  }
  return new Map([...fields].filter(([, value]) => value !== ''));
}

function oauthError(
  status: number,
  error: string,
  text: string,
  headers: Record<string, string> = {},
): OAuthAnswer {
  return { status, headers: { ...noStore, ...headers }, document: { error, error_description: text } };
}

function invalidClient(text: string): OAuthAnswer {
  return oauthError(401, 'invalid_client', text, { 'WWW-Authenticate': `Basic realm="${REALM}"` });
}

function tooManyAttempts(seconds: number): OAuthAnswer {
  const text = 'Too many wrong credentials; try again in a minute.';
  return oauthError(429, 'rate_limited', text, { 'Retry-After': String(seconds) });
}
