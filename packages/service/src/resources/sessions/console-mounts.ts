import type { PlainObject } from '@portolan/foundation/plain-object';
import { accessFaults } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import type { Mount, MountAnswer, MountRequest } from '../../api/index.ts';
import type { Services } from '../services.ts';
import { type Login, openSession, redeemLink } from './changes.ts';
import { sessionCookie } from './cookie.ts';
import { PasswordChecks } from './passwords.ts';
import { currentSession, presentCurrent, presentSession, requireSession } from './present.ts';
import { deleteSession, sessionsOf } from './rows.ts';
import { sessionFaults } from './rules.ts';

const noStore = { 'cache-control': 'no-store' };

/** Login, logout and the list of sessions, which pages of the console use. */
export function consoleMounts(): readonly ((services: Services) => Mount)[] {
  return [loginByLink, loginByPassword, readSession, logOut, listSessions, endSession];
}

function loginByLink(services: Services): Mount {
  return {
    id: 'consoleLoginByLink',
    method: 'GET',
    path: '/console/login',
    async handle(request) {
      // Programs that check a link before a person opens it must not use it up.
      if (request.method === 'HEAD') return redirect('./');
      const { token } = request.query;
      const userId = typeof token === 'string' ? await redeemLink(services, token) : undefined;
      // Relative, so that it works below a path of a proxy.
      if (userId === undefined) return redirect('./#/login?link=invalid');
      const headers = await loggedIn(services, request, { userId, isOperator: true });
      return redirect('./', headers);
    },
  };
}

function loginByPassword(services: Services): Mount {
  const checks = new PasswordChecks(services);
  return {
    id: 'consoleLogin',
    method: 'POST',
    path: '/console/session',
    async handle(request) {
      const { username, password } = credentialsIn(request);
      const user = await checks.check(request, username, password);
      const headers = await loggedIn(services, request, { userId: user.id, isOperator: false });
      return { status: 204, headers, body: '' };
    },
  };
}

function readSession(services: Services): Mount {
  return {
    id: 'consoleSession',
    method: 'GET',
    path: '/console/session',
    async handle(request) {
      const current = await requireSession(services, request);
      return document(await presentCurrent(services, current));
    },
  };
}

function logOut(services: Services): Mount {
  return {
    id: 'consoleLogout',
    method: 'DELETE',
    path: '/console/session',
    async handle(request) {
      const { session } = await requireSession(services, request);
      await services.store.write((tx) => deleteSession(tx, session));
      const cookie = sessionCookie(services).clear();
      return { status: 204, headers: { ...noStore, 'set-cookie': cookie }, body: '' };
    },
  };
}

function listSessions(services: Services): Mount {
  return {
    id: 'consoleSessions',
    method: 'GET',
    path: '/console/sessions',
    async handle(request) {
      const { session } = await requireSession(services, request);
      const all = await services.store.read((tx) => sessionsOf(tx, session.userId));
      return document({ results: all.map((one) => presentSession(one, session.id)) });
    },
  };
}

function endSession(services: Services): Mount {
  return {
    id: 'consoleEndSession',
    method: 'DELETE',
    path: '/console/sessions/{sessionId}',
    async handle(request) {
      const { session } = await requireSession(services, request);
      const { sessionId: id = '' } = request.params;
      const { userId } = session;
      if (!(await services.store.write((tx) => deleteSession(tx, { id, userId }))))
        throw sessionFaults.SESSION_NOT_FOUND(id);
      return { status: 204, headers: noStore, body: '' };
    },
  };
}

/** Opens a new session in place of the one that the browser has; returns the headers of the response. */
async function loggedIn(
  services: Services,
  request: MountRequest,
  login: Pick<Login, 'isOperator' | 'userId'>,
): Promise<Record<string, string>> {
  const { store } = services;
  const former = await currentSession(services, request);
  if (former !== undefined) await store.write((tx) => deleteSession(tx, former.session));
  const agent = request.headers['user-agent'] ?? '';
  const token = await openSession(services, { ...login, address: request.address, agent });
  return { ...noStore, 'set-cookie': sessionCookie(services).write(token) };
}

/** Throws for a body that is not JSON: other origins can send forms, but no JSON. */
function credentialsIn({ headers, body }: MountRequest): { username: string; password: string } {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw accessFaults.UNAUTHORIZED();
  const { username, password } = parsed(body);
  if (typeof username !== 'string') throw generalFaults.MISSING_ATTRIBUTE('username');
  if (typeof password !== 'string') throw generalFaults.MISSING_ATTRIBUTE('password');
  return { username, password };
}

function parsed(body: string): PlainObject {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value as PlainObject;
  } catch {}
  throw generalFaults.MALFORMED_JSON();
}

function redirect(location: string, headers: Readonly<Record<string, string>> = noStore): MountAnswer {
  return { status: 303, headers: { ...headers, location, 'referrer-policy': 'no-referrer' }, body: '' };
}

function document(value: object): MountAnswer {
  return { status: 200, headers: noStore, body: '', document: value };
}
