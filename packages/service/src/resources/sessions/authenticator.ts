import type { SessionAuthenticator } from '../../api/index.ts';
import type { Services } from '../services.ts';
import { findSession } from './changes.ts';
import { sessionCookie } from './cookie.ts';
import { sessionFaults } from './faults.ts';
import { personOf } from './person.ts';
import { markUsed } from './rows.ts';
import { checkCsrfToken, USE_INTERVAL_MS } from './rules.ts';
import { sessionWatch } from './watch.ts';

/** Authenticates requests by session cookie. Reads the roles for each request, so that changes take effect at once. */
export function sessionAuthenticator(services: Services): SessionAuthenticator {
  const { store, machine } = services;
  const watch = sessionWatch(services);
  return async ({ method, cookie, csrfToken }) => {
    const token = sessionCookie(services).read(cookie);
    const found = token === undefined ? undefined : await findCaller(services, token);
    if (token === undefined || found === undefined) {
      // Send no challenge: a browser would open a password prompt.
      if (csrfToken !== undefined) throw sessionFaults.NOT_LOGGED_IN();
      return undefined;
    }
    checkCsrfToken(method, csrfToken, token);
    const { session, caller } = found;
    const now = machine.now();
    if (now - session.used >= USE_INTERVAL_MS) await store.write((tx) => markUsed(tx, session.id, now));
    return {
      caller,
      isOperator: session.isOperator,
      whenEnded: (listener) => watch.whenEnded(session, listener),
    };
  };
}

function findCaller(services: Services, token: string) {
  return services.store.read(async (tx) => {
    const session = await findSession(tx, services, token);
    const caller = session && (await personOf(tx, session.userId, session.providerId));
    return session && caller && { session, caller };
  });
}
