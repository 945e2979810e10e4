import type { Static, TSchema } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import type { MountAnswer, MountRequest } from '../../api/index.ts';
import type { Services } from '../services.ts';
import { type Login, openSession } from './changes.ts';
import { sessionCookie } from './cookie.ts';
import { currentSession } from './present.ts';
import { deleteSession } from './rows.ts';

export const noStore = { 'cache-control': 'no-store' };
export const noContent: MountAnswer = { status: 204, headers: noStore, body: '' };

/** Returns the response of an endpoint that has a reply. */
export function replyTo<R extends TSchema>(
  { status }: Pick<Endpoint, 'status'> & { readonly reply: R },
  document: Static<R>,
): MountAnswer {
  return { status, headers: noStore, body: '', document };
}

/** Opens a session that replaces the browser's previous session. Returns the headers of the response. */
export async function loggedIn(
  services: Services,
  request: MountRequest,
  login: Pick<Login, 'checked' | 'isOperator' | 'providerId' | 'userId'>,
): Promise<Record<string, string>> {
  const { store } = services;
  const former = await currentSession(services, request);
  if (former !== undefined) await store.write((tx) => deleteSession(tx, former.session));
  const agent = request.headers['user-agent'] ?? '';
  const token = await openSession(services, { ...login, address: request.address, agent });
  return { ...noStore, 'set-cookie': sessionCookie(services).write(token) };
}

/** Redirects to the OpenID provider or to a relative URL, which is also valid if a proxy adds a path prefix. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = noStore): MountAnswer {
  return { status: 303, headers: { ...headers, location, 'referrer-policy': 'no-referrer' }, body: '' };
}
