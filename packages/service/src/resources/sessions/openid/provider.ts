import type { MachineClock } from '@portolan/foundation/clock';
import type { GuardedFetch } from '@portolan/foundation/outgoing/guarded-fetch';
import { isStorableText } from '@portolan/foundation/storable-text';
import type { ClientAuth, Configuration, TokenEndpointResponse } from 'openid-client';
import type { OpenIdProvider } from '../../services.ts';
import { boundedDocuments } from './documents.ts';
import { type ClaimRules, type Claims, type Identity, identityIn, lacksClaims } from './identity.ts';

/** The values that a login sends to the provider, and that the response must match. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

export type { Identity };

/** A provider, and how the service uses it. */
export interface ProviderOptions {
  readonly settings: OpenIdProvider;
  readonly rules: ClaimRules;
  /** The URL to which the provider sends the browser after a login. Each provider has its own URL. */
  readonly callback: string;
  /** Scopes in addition to those of all logins. */
  readonly scopes: readonly string[];
  /** The recipient that the ID token must name in addition to the client; absent if there is none. */
  readonly audience?: string | undefined;
  readonly machine: Pick<MachineClock, 'now'>;
  readonly fetch: GuardedFetch;
}

/** How long the metadata of the provider are cached. The library reads the provider's keys more often. */
const METADATA_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const SCOPES = ['openid', 'email', 'profile'];
/** The maximum length of the URL to which a browser is sent. */
const MAX_URL_LENGTH = 8192;

/**
 * A client of the OpenID provider. It uses the authorization code flow with PKCE, state and nonce, and checks issuer,
 * audience and signature.
 */
export class Provider {
  readonly #options: ProviderOptions;
  #known: { readonly configuration: Promise<Configuration>; readonly read: number } | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /**
   * Returns the URL of the login page of the provider. After a login, this page sends the browser to the callback URL.
   */
  async loginUrl({ state, nonce, verifier }: Expected): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const { callback, scopes } = this.#options;
    const configuration = await this.#configuration();
    // The provider may be hostile, so it must not send the browser to a URL that is not a page.
    const { authorization_endpoint: page = '' } = configuration.serverMetadata();
    const { protocol } = new URL(page);
    if (protocol !== 'https:' && protocol !== new URL(this.#options.settings.issuer).protocol)
      throw new Error('the authorization endpoint of the provider has no https URL');
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: [...new Set([...SCOPES, ...scopes])].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    if (url.href.length > MAX_URL_LENGTH)
      throw new Error('the login page of the provider has too long a URL');
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
    const { audience, callback, rules } = this.#options;
    const configuration = await this.#configuration();
    const url = new URL(callback);
    url.search = new URLSearchParams(query).toString();
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
      pkceCodeVerifier: verifier,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the response has no ID token');
    if (audience !== undefined && ![claims.aud].flat().includes(audience))
      throw new Error('the ID token does not name the audience of the identity provider');
    const more = lacksClaims(claims, rules) ? await userInfo(configuration, tokens, claims.sub) : {};
    const identity = identityIn(claims, more, rules);
    const { groups: _, ...texts } = identity;
    if (!Object.values(texts).every((text) => text === undefined || isStorableText(text)))
      throw new Error('the response contains characters that cannot be stored');
    return identity;
  }

  #configuration(): Promise<Configuration> {
    const now = this.#options.machine.now();
    if (this.#known && now - this.#known.read < METADATA_MS) return this.#known.configuration;
    const known = { configuration: discover(this.#options), read: now };
    this.#known = known;
    known.configuration.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.configuration;
  }
}

/** Loads the library when the first person logs in, so that services without such logins need no memory for it. */
const library = () => import('openid-client');

async function discover({ settings, fetch }: ProviderOptions): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const client = await library();
  const url = new URL(issuer);
  const documents = boundedDocuments(fetch);
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
      [client.customFetch]: documents,
    },
  );
  const { jwks_uri: keys } = configuration.serverMetadata();
  configuration[client.customFetch] = (at, sent) => (at === keys ? documents : fetch)(at, sent);
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

/** Gets the user info, since many providers return the mail address and the groups only there. */
async function userInfo(
  configuration: Configuration,
  tokens: TokenEndpointResponse,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  const { fetchUserInfo } = await library();
  return fetchUserInfo(configuration, tokens.access_token, subject);
}
