import { wholeSeconds } from '../../api/dates.ts';
import type { MountRequest } from '../../api/index.ts';
import { findUser } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import { findSession } from './changes.ts';
import { sessionCookie } from './cookie.ts';
import { sessionFaults } from './faults.ts';
import type { SessionRow } from './rows.ts';
import { checkCsrfToken, csrfTokenOf, endsOf } from './rules.ts';

/** The session of a request, with its token. */
export interface CurrentSession {
  readonly session: SessionRow;
  readonly token: string;
}

export async function currentSession(
  services: Services,
  { headers }: MountRequest,
): Promise<CurrentSession | undefined> {
  const token = sessionCookie(services).read(headers.cookie);
  const session = token && (await services.store.read((tx) => findSession(tx, services, token)));
  return session && token ? { session, token } : undefined;
}

/**
 * Returns the session of a request. Throws `NOT_LOGGED_IN`, or `INVALID_CSRF_TOKEN` for a change without the session's
 * token.
 */
export async function requireSession(services: Services, request: MountRequest): Promise<CurrentSession> {
  const current = await currentSession(services, request);
  if (current === undefined) throw sessionFaults.NOT_LOGGED_IN();
  checkCsrfToken(request.method, request.headers['x-csrf-token']?.toString(), current.token);
  return current;
}

/** Presents the session of a request. Throws `NOT_LOGGED_IN` if the user was deleted. */
export async function presentCurrent({ clock, store }: Services, { session, token }: CurrentSession) {
  const user = await store.read((tx) => findUser(tx, session.userId));
  if (user === undefined) throw sessionFaults.NOT_LOGGED_IN();
  const { id, username, firstName, lastName } = user;
  const { idle, latest } = endsOf(session);
  return {
    csrfToken: csrfTokenOf(token),
    expiresAt: dateOf(latest),
    idleAt: dateOf(Math.min(idle, latest)),
    operator: session.isOperator,
    serviceTime: wholeSeconds(clock.now()),
    user: { firstName, id, lastName, username },
  };
}

export function presentSession(row: SessionRow, currentId: string) {
  const { id, address, agent, created, used, isOperator } = row;
  return {
    address,
    agent,
    created: dateOf(created),
    current: id === currentId,
    id,
    lastUsed: dateOf(used),
    operator: isOperator,
  };
}

const dateOf = (time: number) => wholeSeconds(new Date(time));
