import { sendRequest } from '@portolan/foundation/http-call';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Calls a service with its first service account. */
export interface Client {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

interface Credentials {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The certificate of the authority to trust, in PEM. */
  readonly authority: string;
}

/** Gets an access token (OAuth 2.0 client credentials). Returns a client that uses it. */
export async function connect(credentials: Credentials): Promise<Client> {
  const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64');
  const token = await send(credentials, 'POST', '/api/oauth/token', 'grant_type=client_credentials', {
    authorization: `Basic ${basic}`,
    'content-type': 'application/x-www-form-urlencoded',
  });
  const authorization = `Bearer ${token.body.access_token}`;
  return {
    call: (method, path, body) =>
      send(credentials, method, `/api/service/v2${path}`, body === undefined ? '' : JSON.stringify(body), {
        authorization,
        accept: 'application/vnd.service.2025-03-12+json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }),
  };
}

async function send(
  { url, authority }: Credentials,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const { status, text } = await sendRequest(new URL(path, url), { method, headers, body, authority });
  return { status, body: text === '' ? {} : JSON.parse(text) };
}
