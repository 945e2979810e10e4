import type { PlainObject } from '@portolan/foundation/plain-object';
import { TOKEN_PATH } from '../api/addresses.ts';
import type { Api } from '../api/index.ts';
import type { FirstAccess } from './bootstrap.ts';

export interface OwnAnswer {
  readonly status: number;
  readonly body: PlainObject;
}

/** Calls the API of this process as a service account, in the newest version and without a socket. */
export type OwnCall = (
  method: 'GET' | 'PATCH' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
) => Promise<OwnAnswer>;

type Account = Pick<FirstAccess, 'clientId' | 'clientSecret'>;

const UNAUTHORIZED = 401;

export function ownCalls(api: Pick<Api, 'request'>, account: Account): OwnCall {
  let token: string | undefined;
  const send = async (...[method, path, body]: Parameters<OwnCall>): Promise<OwnAnswer> => {
    token ??= await accessToken(api, account);
    const { status, text } = await api.request({
      method,
      target: `/api/service/v2${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.service.2025-03-12+json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status, body: text === '' ? {} : JSON.parse(text) };
  };
  return async (...call) => {
    const answer = await send(...call);
    if (answer.status !== UNAUTHORIZED) return answer;
    // The token has expired. Get a new token and call again.
    token = undefined;
    return send(...call);
  };
}

async function accessToken(api: Pick<Api, 'request'>, { clientId, clientSecret }: Account): Promise<string> {
  const { text } = await api.request({
    method: 'POST',
    target: TOKEN_PATH,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return String(JSON.parse(text).access_token);
}
