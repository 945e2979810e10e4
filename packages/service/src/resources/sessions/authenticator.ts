import { sameText } from '@portolan/foundation/secret-box';
import type { SessionAuthenticator } from '../../api/index.ts';
import type { Services } from '../services.ts';
import { findSession } from './changes.ts';
import { sessionCookie } from './cookie.ts';
import { personOf } from './person.ts';
import { markUsed } from './rows.ts';
import { csrfTokenOf, sessionFaults, USE_INTERVAL_MS } from './rules.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Authenticates requests by session cookie. Roles are read for each request, so that changes apply at once. */
export function sessionAuthenticator(services: Services): SessionAuthenticator {
  const { store, machine } = services;
  return async ({ method, cookie, csrfToken }) => {
    const token = sessionCookie(services).read(cookie);
    const found =
      token === undefined
        ? undefined
        : await store.read(async (tx) => {
            const session = await findSession(tx, services, token);
            const person = session && (await personOf(tx, session.userId));
            return person && session && { ...person, session };
          });
    // Without a challenge, at which a browser would ask for a password.
    if (found === undefined && csrfToken !== undefined) throw sessionFaults.NOT_LOGGED_IN();
    if (found === undefined || token === undefined) return undefined;
    if (!SAFE.has(method) && !sameText(csrfToken ?? '', csrfTokenOf(token)))
      throw sessionFaults.INVALID_CSRF_TOKEN();
    const { session, caller } = found;
    const now = machine.now();
    if (now - session.used >= USE_INTERVAL_MS) await store.write((tx) => markUsed(tx, session.id, now));
    return { caller, isOperator: session.isOperator };
  };
}
