import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import type { Scope } from './service.ts';

export const CLIENT = { id: 'portolan', secret: 'the secret of the client' };
/** The id of a client without a secret. */
export const PUBLIC_CLIENT = 'pilots';

/** The maximum number of redirects to follow. A login at the provider needs fewer. */
const MAX_REDIRECTS = 10;

export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean | string | undefined;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly groups?: readonly string[];
}

/** Returns the claims with which a hostile provider responds to a request for tokens. */
type Forge = (request: URLSearchParams) => JWTPayload | Promise<JWTPayload>;

/** A real OpenID provider that can also send forged responses. */
export interface TestProvider {
  readonly issuer: string;
  /** The person whom the provider logs in next, without a login page. */
  person: ProviderPerson;
  /** Makes the provider respond with these claims. `undefined` makes it respond normally again. */
  forge(claims: Forge | undefined): void;
  /** Registers the service as a client with this redirect URI. Forgets earlier registrations. */
  register(redirectUri: string): void;
  /** Follows the redirects of the provider as a browser does. Returns the URL to which the last redirect leads. */
  visit(url: string): Promise<URL>;
  /**
   * Selects the key that signs forged responses: the provider's own key, or a key that the provider does not publish.
   */
  signWith(key: 'own' | 'foreign'): void;
}

export async function openIdProvider(scope: Scope): Promise<TestProvider> {
  const [own, foreign] = [newKey(), newKey()];
  let forge: Forge | undefined;
  let signer = own;
  let handle = async (_: IncomingMessage, response: ServerResponse): Promise<void> => void response.end();
  const server = createServer(async (request, response) => {
    if (forge === undefined || request.url !== '/token') return handle(request, response);
    const claims = await forge(new URLSearchParams(await text(request)));
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(signer.privateKey);
    const body = { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result: TestProvider = {
    issuer,
    person: { sub: 'nobody' },
    forge: (claims) => {
      forge = claims;
    },
    register: (redirectUri) => {
      handle = realProvider({ issuer, key: own, redirectUri, person: () => result.person });
    },
    visit: (url) => visit(issuer, url),
    signWith: (key) => {
      signer = key === 'own' ? own : foreign;
    },
  };
  return result;
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

async function visit(issuer: string, start: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let turn = 0; turn < MAX_REDIRECTS && url.origin === issuer; turn++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}

interface Parts {
  readonly issuer: string;
  readonly key: ReturnType<typeof newKey>;
  readonly redirectUri: string;
  readonly person: () => ProviderPerson;
}

function realProvider({ issuer, key, redirectUri, person }: Parts) {
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] },
      {
        client_id: PUBLIC_CLIENT,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      },
    ],
    cookies: { keys: ['of the test'] },
    jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
      groups: ['groups'],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ ...person() }) }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId,
        accountId: context.oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: person().sub } });
  };
}
