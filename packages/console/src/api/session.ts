import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ApiError, read, sendChange, setCsrfToken } from './client.ts';
import type { Reply } from './operations.ts';
import { consoleRequest } from './requests.ts';

/** The session of this browser. */
export type Session = Reply<'console', 'GET', '/session'>;

/** Returns the session; null if nobody is logged in. */
export function useSession() {
  return useQuery({ queryKey: ['session'], queryFn: readSession, refetchInterval: 60_000 });
}

async function readSession(): Promise<Session | null> {
  try {
    const session = await read('console', '/session');
    setCsrfToken(session.csrfToken);
    return session;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Returns the present service time in milliseconds. */
export async function readServiceTime(): Promise<number> {
  const { serviceTime } = await read('console', '/session');
  return Date.parse(serviceTime);
}

/** Logs a person in. `code` is a one-time code or a recovery code, for people who have turned codes on. */
export function logIn(username: string, password: string, code: string | undefined): Promise<void> {
  return sendChange(consoleRequest('POST', '/session', { username, password, code }));
}

/** Deletes the data of the person who used this page before, since the next person may have fewer rights. */
export function forgetData(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

export function logOut(): Promise<void> {
  return sendChange(consoleRequest('DELETE', '/session'));
}
