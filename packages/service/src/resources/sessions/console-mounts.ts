import type { Mount } from '../../api/index.ts';
import type { Services } from '../services.ts';
import { redeemLink } from './changes.ts';
import { sessionCookie } from './cookie.ts';
import * as endpoints from './endpoints.ts';
import { sessionFaults } from './faults.ts';
import { bodyIn } from './json-body.ts';
import { loggedIn, noContent, noStore, redirect, replyTo } from './login.ts';
import { codeMounts } from './one-time-codes/mounts.ts';
import { PasswordChecks } from './passwords.ts';
import { presentCurrent, presentSession, requireSession } from './present.ts';
import { deleteSession, type SessionRow, sessionsOf } from './rows.ts';

/** Returns the endpoints that the pages of the console use for login, logout and the list of sessions. */
export function consoleMounts(): readonly ((services: Services) => Mount)[] {
  return [
    loginByLink,
    loginByPassword,
    readSession,
    logOut,
    listSessions,
    endSession,
    ...codeMounts.map((mountOf) => (services: Services) => mountOf(services, checksOf(services))),
  ];
}

function loginByLink(services: Services): Mount {
  return {
    id: 'consoleLoginByLink',
    method: 'GET',
    path: '/console/login',
    async handle(request) {
      // A HEAD request must not use up the link, because programs send HEAD requests to check a link before a person
      // opens it.
      if (request.method === 'HEAD') return redirect('./');
      const { token } = request.query;
      const userId = typeof token === 'string' ? await redeemLink(services, token) : undefined;
      // The URL is relative, so that it is also valid if a proxy adds a path prefix.
      if (userId === undefined) return redirect('./#/login?link=invalid');
      const headers = await loggedIn(services, request, { userId, isOperator: true });
      return redirect('./', headers);
    },
  };
}

const checks = new WeakMap<Services, PasswordChecks>();

/**
 * Returns the object that checks passwords for a service. All endpoints use the same object, so that wrong passwords
 * and wrong codes are counted together.
 */
function checksOf(services: Services): PasswordChecks {
  const known = checks.get(services) ?? new PasswordChecks(services);
  checks.set(services, known);
  return known;
}

function loginByPassword(services: Services): Mount {
  const checks = checksOf(services);
  return {
    ...endpoints.logIn,
    async handle(request) {
      const { username, password, code } = bodyIn(request, endpoints.logIn.body);
      const checked = await checks.check(request, { username, password, code });
      const headers = await loggedIn(services, request, { userId: checked.id, isOperator: false, checked });
      return { ...noContent, headers };
    },
  };
}

function readSession(services: Services): Mount {
  return {
    ...endpoints.readSession,
    async handle(request) {
      const current = await requireSession(services, request);
      return replyTo(endpoints.readSession, await presentCurrent(services, current));
    },
  };
}

function logOut(services: Services): Mount {
  return {
    ...endpoints.logOut,
    async handle(request) {
      const { session } = await requireSession(services, request);
      await services.store.write((tx) => deleteSession(tx, session));
      const cookie = sessionCookie(services).clear();
      return { ...noContent, headers: { ...noStore, 'set-cookie': cookie } };
    },
  };
}

function listSessions(services: Services): Mount {
  return {
    ...endpoints.listSessions,
    async handle(request) {
      const { session } = await requireSession(services, request);
      const all = await services.store.read((tx) => sessionsOf(tx, session.userId));
      const results = all.filter(isVisibleTo(session)).map((one) => presentSession(one, session.id));
      return replyTo(endpoints.listSessions, { results });
    },
  };
}

function endSession(services: Services): Mount {
  return {
    ...endpoints.endSession,
    async handle(request) {
      const { session } = await requireSession(services, request);
      const { sessionId: id = '' } = request.params;
      const isEnded = await services.store.write(async (tx) => {
        const all = await sessionsOf(tx, session.userId);
        const found = all.filter(isVisibleTo(session)).find((one) => one.id === id);
        return found !== undefined && deleteSession(tx, found);
      });
      if (!isEnded) throw sessionFaults.SESSION_NOT_FOUND(id);
      return noContent;
    },
  };
}

/**
 * A session that began with an identity provider of an organization sees only such sessions, since its owners must not
 * learn about other logins of a person.
 */
const isVisibleTo =
  ({ providerId }: SessionRow) =>
  (other: SessionRow): boolean =>
    providerId === undefined || other.providerId === providerId;
