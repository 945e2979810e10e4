import type { MachineClock } from '@portolan/foundation/clock';
import { isStorableText } from '@portolan/foundation/storable-text';
import type { ClientAuth, Configuration, TokenEndpointResponse } from 'openid-client';
import type { OpenIdProvider } from '../../services.ts';

/** The values that a login sends to the provider, and that the response must match. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/** A person, as the OpenID provider describes the person. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** The mail address; undefined unless the provider has verified it. */
  readonly mail: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** How long the metadata of the provider are cached. The library reads the provider's keys more often. */
const METADATA_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email profile';

/**
 * A client of the OpenID provider. It uses the authorization code flow with PKCE, state and nonce, and checks issuer,
 * audience and signature.
 */
export class Provider {
  readonly #settings: OpenIdProvider;
  readonly #callback: string;
  readonly #machine: Pick<MachineClock, 'now'>;
  #known: { readonly configuration: Promise<Configuration>; readonly read: number } | undefined;

  constructor(settings: OpenIdProvider, callback: string, machine: Pick<MachineClock, 'now'>) {
    this.#settings = settings;
    this.#callback = callback;
    this.#machine = machine;
  }

  /**
   * Returns the URL of the login page of the provider. After a login, this page sends the browser to the callback URL.
   */
  async loginUrl({ state, nonce, verifier }: Expected): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const url = buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.#callback,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * Returns the person whom the provider's response identifies. The response is the query of the callback URL. Throws
   * if any check fails.
   */
  async identityOf(
    query: Readonly<Record<string, string>>,
    { state, nonce, verifier }: Expected,
  ): Promise<Identity> {
    const { authorizationCodeGrant } = await library();
    const configuration = await this.#configuration();
    const url = new URL(this.#callback);
    url.search = new URLSearchParams(query).toString();
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
      pkceCodeVerifier: verifier,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the response has no ID token');
    const more = claims.email === undefined ? await userInfo(configuration, tokens, claims.sub) : {};
    // Read the mail address and the claim `email_verified` from the same document.
    const mail = claims.email === undefined ? more : claims;
    const identity = identityIn({ ...more, ...claims }, mail, claims);
    if (!Object.values(identity).every((text) => text === undefined || isStorableText(text)))
      throw new Error('the response contains characters that cannot be stored');
    return identity;
  }

  #configuration(): Promise<Configuration> {
    const now = this.#machine.now();
    if (this.#known && now - this.#known.read < METADATA_MS) return this.#known.configuration;
    const known = { configuration: discover(this.#settings), read: now };
    this.#known = known;
    known.configuration.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.configuration;
  }
}

/** Loads the library when the first person logs in, so that services without such logins need no memory for it. */
const library = () => import('openid-client');

async function discover({ issuer, clientId, clientSecret }: OpenIdProvider): Promise<Configuration> {
  const client = await library();
  const url = new URL(issuer);
  const configuration = await client.discovery(
    url,
    clientId,
    undefined,
    authentication(client, clientSecret),
    {
      execute: [
        // TLS authenticates the provider, but check signatures too, since a proxy may terminate TLS.
        client.enableNonRepudiationChecks,
        // The settings allow HTTP for loopback addresses only.
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
      timeout: TIMEOUT_SECONDS,
    },
  );
  return configuration;
}

/** Selects an authentication method that the provider accepts. A provider that lists no methods accepts HTTP Basic. */
function authentication(
  { ClientSecretBasic, ClientSecretPost, None }: Awaited<ReturnType<typeof library>>,
  secret: string | undefined,
): ClientAuth {
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** Gets the user info, since many providers return the mail address only there. */
async function userInfo(
  configuration: Configuration,
  tokens: TokenEndpointResponse,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  const { fetchUserInfo } = await library();
  return fetchUserInfo(configuration, tokens.access_token, subject);
}

function identityIn(
  names: Claims,
  { email, email_verified: isVerified }: Claims,
  { iss: issuer, sub: subject }: { readonly iss: string; readonly sub: string },
): Identity {
  const text = (name: string) => {
    const value = names[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    issuer,
    subject,
    mail: isVerified === true && typeof email === 'string' && email !== '' ? email : undefined,
    firstName: text('given_name') || text('name'),
    lastName: text('family_name'),
  };
}
